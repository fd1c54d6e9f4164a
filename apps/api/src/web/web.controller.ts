import { Controller, Get, Headers, HttpException, NotFoundException, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FailureError } from '#lib/kernel';
import { MAX_PARAMETER, Public } from '../http/index.js';
import { acceptsEncoding } from './accepts-encoding.js';
import { LocalPage } from './local-page.js';
import { PAGE_PATHS } from './page-paths.js';
import { WebFiles, type WebFile } from './web-files.js';

/** The thread that verifies evidence packs compiles their policies; it loads nothing, and no page may do the same. */
const VERIFIER_SECURITY_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

/** The worker of notifications asks the API, to say where this browser is reached from now on, and loads nothing. */
const PUSH_WORKER_SECURITY_POLICY = "default-src 'none'; connect-src 'self'";

const A_YEAR = 'public, max-age=31536000, immutable';
const ASK_EVERY_TIME = 'no-cache';
const APP_ICONS = ['icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'apple-touch-icon.png'] as const;

/**
 * The web UI: its page under every path, and its files. Under a path that it does not know, the page says so, as a 404. The
 * files hold nothing of a tenant: the pages read everything from the API, as the person signed in.
 */
@ApiExcludeController()
@Controller()
export class WebController {
  constructor(
    private readonly files: WebFiles,
    private readonly local: LocalPage,
  ) {}

  @Get([...PAGE_PATHS])
  @Public()
  page(
    @Req() request: FastifyRequest,
    @Headers('accept-encoding') accepted: string | undefined,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const byName = this.local.byName(request.headers.host, request.url);
    if (byName !== null) {
      void reply.header('cache-control', ASK_EVERY_TIME).redirect(byName, 302);
      return;
    }
    this.#send('index.html', { accepted, known, cached: ASK_EVERY_TIME }, reply);
  }

  /** Named by their content: never asked for twice. */
  @Get('assets/:name')
  @Public()
  asset(
    @Param('name') name: string,
    @Headers('accept-encoding') accepted: string | undefined,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    if (name.startsWith('verify-worker-')) void reply.header('content-security-policy', VERIFIER_SECURITY_POLICY);
    this.#send(`assets/${name}`, { accepted, known, cached: A_YEAR }, reply);
  }

  /** The files that make it an app on a phone: its manifest and its icons. */
  @Get(['favicon.svg', 'app.webmanifest', ...APP_ICONS])
  @Public()
  identity(
    @Req() { url }: FastifyRequest,
    @Headers('accept-encoding') accepted: string | undefined,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    this.#send(new URL(url, 'http://localhost').pathname.slice(1), { accepted, known, cached: ASK_EVERY_TIME }, reply);
  }

  /** The worker that shows notifications, at the top, so that its scope is every page. Never cached: an old one would stay for good. */
  @Get('push-worker.js')
  @Public()
  pushWorker(
    @Headers('accept-encoding') accepted: string | undefined,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    void reply.header('content-security-policy', PUSH_WORKER_SECURITY_POLICY);
    this.#send('push-worker.js', { accepted, known, cached: ASK_EVERY_TIME }, reply);
  }

  /** A mistyped address: a browser gets the page that says so, anything else the API's 404. */
  @Get('*')
  @Public()
  elsewhere(
    @Req() { url }: FastifyRequest,
    @Headers('accept') wanted: string | undefined,
    @Headers('accept-encoding') accepted: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const [path = ''] = url.split('?');
    // This route also gets paths that are too long for the other routes.
    if (path.split('/').some((part) => part.length > MAX_PARAMETER)) throw new HttpException('', 414);
    if (path.startsWith('/v1/') || !(wanted ?? '').includes('text/html')) throw new NotFoundException();
    void reply.status(404);
    this.#send('index.html', { accepted, known: undefined, cached: 'no-store' }, reply);
  }

  #send(path: string, asked: Asked, reply: FastifyReply): void {
    const file = this.files.find(path);
    if (file === null) throw new FailureError(notThere);
    void reply.header('cache-control', asked.cached).header('etag', file.etag).header('vary', 'accept-encoding');
    // Before a 304, too: its headers replace those that the browser kept, and the type selects the content security policy.
    void reply.header('content-type', file.type);
    if (asked.known === file.etag) {
      void reply.status(304).send();
      return;
    }
    const { encoding, content } = formOf(file, asked.accepted);
    if (encoding !== null) void reply.header('content-encoding', encoding);
    void reply.send(content);
  }
}

interface Asked {
  readonly accepted: string | undefined;
  readonly known: string | undefined;
  readonly cached: string;
}

const formOf = (
  { plain, compressed }: WebFile,
  accepted: string | undefined,
): { readonly encoding: string | null; readonly content: Buffer } =>
  compressed.find(({ encoding }) => acceptsEncoding(accepted, encoding)) ?? { encoding: null, content: plain };

const notThere = {
  kind: 'not_found',
  code: 'web.not_found',
  message: 'The web UI has no such file here.',
  action: 'Reload the page: it may have been updated. Where the web UI is not built, npm run build builds it.',
} as const;
