/**
 * Proof: nginx also handles HTTPS, size limits, compression, headers that clients must not set, and unbuffered uploads.
 */
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { request, tls } from '../clients.mjs';

const MiB = 1024 * 1024;

/** Sends the first MiB of a larger upload; returns whether nginx buffers it instead of passing it on. */
async function isKept({ port, nginx }, cookie) {
  const earlier = nginx.warnings().length;
  const upload = https.request({ ...tls, port, path: '/posts', method: 'POST' });
  upload.on('error', () => undefined); // The upload is aborted below
  upload.setHeader('Content-Type', 'multipart/form-data; boundary=x');
  upload.setHeader('Content-Length', 4 * MiB);
  upload.setHeader('Cookie', cookie);
  upload.write(
    `--x\r\nContent-Disposition: form-data; name="picture"; filename="a"\r\n\r\n${'a'.repeat(MiB)}`,
  );
  await sleep(1000);
  upload.destroy();
  return nginx.warnings().slice(earlier).includes('buffered to a temporary file');
}

/** @type {import('../proofs.mjs').Proof} */
export const front = {
  name: 'front',
  title: 'nginx does what its configuration says',
  faults: [
    {
      name: 'believed',
      says: 'nginx passes on what clients say about themselves',
      site: () => ({ nginx: [[/X-Forwarded-For \$remote_addr/, 'X-Forwarded-For $http_x_forwarded_for']] }),
    },
    {
      name: 'kept',
      says: 'nginx keeps uploads until they are complete',
      site: () => ({ nginx: [[/proxy_request_buffering off;/, '']] }),
    },
  ],
  async run({ site, cookies, credentials }) {
    const { port, plainPort } = site;
    const cookie = cookies[0];
    const plain = await request({ port: plainPort, plain: true, path: '/posts', form: 'text=x' });
    const login = await request({ port, path: '/api/session', json: credentials });
    // This header contains the key by which the application counts requests.
    const counted = ['192.0.2.1', '192.0.2.2'].map(async address => {
      const headers = { 'X-Forwarded-For': address };
      return (await request({ port, path: '/register', form: 'name=x', headers })).headers[
        'ratelimit-policy'
      ];
    });
    const [one, other] = await Promise.all(counted);
    const page = await request({ port, path: '/', headers: { 'Accept-Encoding': 'gzip' } });
    const large = await request({ port, path: '/posts', cookie, form: 'a'.repeat(10 * MiB) });
    const probes = await Promise.all(
      ['/livez', '/readyz', '/dependencies'].map(path => request({ port, path })),
    );
    const found = {
      'redirects to HTTPS': plain.status === 308 && String(plain.headers.location).startsWith('https://'),
      'cookies are secure': /; Secure/.test(String(login.headers['set-cookie'])),
      'forged addresses are ignored': one !== undefined && one === other,
      'pages are compressed': page.headers['content-encoding'] === 'gzip',
      'too large is 413': large.status === 413,
      'uploads are passed on': !(await isKept(site, cookie)),
      'probes are private': probes.every(({ status }) => status === 404),
    };
    const wrong = Object.keys(found).filter(name => !found[name]);
    const right = Object.keys(found).filter(name => found[name]);
    return {
      figures: `${right.join(', ')}${wrong.length > 0 ? `; failed: ${wrong.join(', ')}` : ''}`,
      reached: wrong.length === 0,
    };
  },
};
