/** Members that Express does not have. */
import web from 'ristretto';

const app = web();
app.use((req, res, next) => {
  res.earlyHints('</app.css>; rel=preload; as=style').earlyHints(['</a>; rel=next']);
  res.earlyHints({
    preconnect: 'https://cdn.example',
    preload: [{ href: '/a', as: 'font', crossorigin: true }, '/b'],
  });
  // @ts-expect-error the URL is missing
  res.earlyHints({ preload: { as: 'style' } });
  next();
});
