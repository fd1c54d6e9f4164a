import { Injectable } from '@nestjs/common';
import type { ToolCallView } from '#lib/api-schemas';
import type { Principal } from '#lib/kernel';
import { TakeToolCall, type ToolCallAnswer } from '#lib/tool-call';
import { toolCallView } from './tool-call-view.js';

/** Shows a call to its reader. The agent that makes the call gets its grant, and the call is executing then. */
@Injectable()
export class AnswerToolCall {
  constructor(private readonly takeToolCall: TakeToolCall) {}

  async show(by: Principal, known: ToolCallAnswer): Promise<ToolCallView> {
    const { state, answeredBy } = known;
    if (answeredBy !== 'agent' || (state !== 'allowed' && state !== 'executing')) return toolCallView(known, null);
    const { answer, granted } = await this.takeToolCall.execute(by, known);
    return toolCallView(answer, granted);
  }
}
