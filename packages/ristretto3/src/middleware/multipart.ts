/** `web.multipart()`: parses the bodies of forms with files. */
import type { ServerResponse } from 'node:http';
import { passOn } from '@ristretto/private-engine/lib/body';
import { hasBody, httpError, typeIs } from '@ristretto/private-engine/lib/protocol';
import type { HttpError } from '@ristretto/private-engine/lib/protocol';
import type { Handler, Next, Request } from './connect';
import { Form } from './multipart/form';
import { multipartPolicy } from './multipart/options';
import type { MultipartOptions } from './multipart/options';

/** A request with uploaded files. */
interface UploadRequest extends Request {
  /** The files, by field name. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- names nest as the client says
  files?: Record<string, any>;
  /** The form, if its processing is deferred. */
  form?: Form;
}

/**
 * Create middleware that parses bodies of `multipart/form-data`: sets `req.body` to the fields, writes files to a
 * temporary directory, and sets `req.files` to their descriptions. The files of a failed request are removed; the
 * application must move or remove all others, even those that it did not expect, so accept uploads only on the routes
 * that need them.
 *
 * Deprecated: use a parser from npm, such as multer, on the routes that accept uploads.
 * @param options `limit` (`'100mb'`), `uploadDir` (the system's), `keepExtensions` (true), `hash` (none), `maxFields`
 * (1000), `maxFieldsSize` (2 MiB), `maxFiles` (1000), `maxFilesSize`, `defer` (false)
 * @throws TypeError for invalid options
 * @example
 * app.post('/photo', web.multipart({ limit: '5mb' }), (req, res) => res.send(req.files.photo.name));
 * // POST /photo (Content-Type: multipart/form-data; boundary=x)
 * //   --x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n0123\r\n--x--\r\n
 * //   -> 200 a.png
 */
function multipart(options: MultipartOptions = {}): Handler {
  const policy = multipartPolicy(options);
  return function multipart(req: UploadRequest, res, next) {
    if (req._body) {
      next();
      return;
    }
    req.body ||= {};
    req.files ||= {};
    if (!isUpload(req)) {
      passOn(req, next);
      return;
    }
    req._body = true;
    const form = new Form(policy);
    if (!policy.defer) {
      form.read(req).then(
        () => next(),
        (error: unknown) => failed(req, error, next),
      );
      return;
    }
    req.form = form;
    form
      .read(req)
      .then(() => form.emit('close'))
      .catch((error: unknown) => failed(req, error, reason => emitError(form, reason, res, next)));
    next();
  };
}

function isUpload(req: Request): boolean {
  if (req.method === 'GET' || req.method === 'HEAD' || !hasBody(req.headers)) return false;
  return typeIs(req.headers['content-type'], ['multipart/*']) !== false;
}

/**
 * Reports the error of a deferred form, caused by the client or thrown by a listener: to the form's listeners, or to
 * the error handlers if there are none. Client errors no longer matter once the response has ended.
 */
function emitError(form: Form, error: unknown, res: ServerResponse, next: Next): void {
  if (form.listenerCount('error') === 0) {
    if (!(res.writableEnded && isClientError(error))) next(error);
    return;
  }
  try {
    form.emit('error', error);
  } catch (thrown) {
    next(thrown);
  }
}

function isClientError(error: unknown): boolean {
  return (error as Partial<HttpError> | null)?.expose === true;
}

/**
 * Reports an error once the rest of the body has been discarded: clients read the response only after they have sent
 * everything.
 */
function failed(req: Request, error: unknown, report: (error: unknown) => void): void {
  const reason = req.readableAborted
    ? httpError(400, 'Request aborted', { code: 'ECONNABORTED', type: 'request.aborted' })
    : error;
  if (!req.readable) {
    report(reason);
    return;
  }
  const drained = (): void => {
    req.off('close', drained);
    req.off('end', drained);
    req.off('error', drained);
    report(reason);
  };
  req.on('close', drained);
  req.on('end', drained);
  req.on('error', drained);
  req.resume();
}

export = multipart;
