import { Injectable } from '@nestjs/common';
import type { ToolCallView } from '#lib/api-schemas';
import type { Principal } from '#lib/kernel';
import { GetToolCall, TakeToolCall, type ToolCallAnswer } from '#lib/tool-call';
import { unwrap } from '../http/index.js';
import { toolCallView } from './tool-call-view.js';

/** Shows a call to its reader. The agent that makes the call gets its grant, and the call is executing then. */
@Injectable()
export class AnswerToolCall {
  constructor(
    private readonly getToolCall: GetToolCall,
    private readonly takeToolCall: TakeToolCall,
  ) {}

  async show(by: Principal, answer: ToolCallAnswer): Promise<ToolCallView> {
    const { id, state, answeredBy } = answer;
    if (answeredBy !== 'agent' || (state !== 'allowed' && state !== 'executing')) return toolCallView(answer, null);
    const granted = await this.takeToolCall.execute(by, id);
    return toolCallView(unwrap(await this.getToolCall.execute(by, id)), granted);
  }
}
