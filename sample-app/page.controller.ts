import { Controller, Get, Header } from '@nestjs/common';

import { CHAT_PAGE } from './chat-page.js';

/** `GET /` is a page to chat on. */
@Controller()
export class PageController {
  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  page(): string {
    return CHAT_PAGE;
  }
}
