import { AimonError } from '@aimon/nestjs-memory';
import {
  BadGatewayException,
  Body,
  Controller,
  HttpCode,
  HttpException,
  Post,
  Res,
  ServiceUnavailableException,
} from '@nestjs/common';
import type { Response } from 'express';

import { AgentService, type AgentReply } from './agent.service.js';
import { ChatModelError } from './chat-model.js';
import { chatRequestIn } from './chat-request.js';

const CLIENT_CLOSED_REQUEST = 499;

/** `POST /chat {sessionId, message}` answers `{reply, toolCalls}`. */
@Controller('chat')
export class ChatController {
  constructor(private readonly agent: AgentService) {}

  @Post()
  @HttpCode(200)
  async chat(@Body() body: unknown, @Res({ passthrough: true }) response: Response): Promise<AgentReply> {
    const { sessionId, message } = chatRequestIn(body);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      return await this.agent.reply(sessionId, message, gone.signal);
    } catch (error) {
      if (gone.signal.aborted) throw new HttpException('The caller went away.', CLIENT_CLOSED_REQUEST);
      throw asHttpError(error);
    }
  }
}

function asHttpError(error: unknown): unknown {
  if (error instanceof ChatModelError) return new BadGatewayException(error.message);
  if (error instanceof AimonError && /^(?:MEMORY|SESSION)_CLOSED$/.test(error.code)) {
    return new ServiceUnavailableException('The application is shutting down.');
  }
  return error;
}
