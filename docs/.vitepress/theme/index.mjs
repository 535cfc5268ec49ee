/** The theme: VitePress's own, with colours that have enough contrast, a landmark and a picture on the home page. */
import { h } from 'vue';
import theme from 'vitepress/theme';
import HeroCard from './HeroCard.vue';
import './style.css';
import './home.css';

export default {
  ...theme,
  Layout: () => h(theme.Layout, null, { 'home-hero-image': () => h(HeroCard) }),
  enhanceApp({ router }) {
    router.onAfterRouteChange = () => {
      globalThis.document?.querySelector('.VPContent.is-home')?.setAttribute('role', 'main');
    };
  },
};
