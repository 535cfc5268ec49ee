/** The theme: VitePress's own, with colours that have enough contrast, and a landmark on the home page. */
import theme from 'vitepress/theme';
import './style.css';

export default {
  ...theme,
  enhanceApp({ router }) {
    router.onAfterRouteChange = () => {
      globalThis.document?.querySelector('.VPContent.is-home')?.setAttribute('role', 'main');
    };
  },
};
