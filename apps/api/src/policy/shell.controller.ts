import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  classifyShellSchema,
  shellVerdictSchema,
  type ClassifyShellBody,
  type ShellVerdictView,
} from '#lib/api-schemas';
import { classifyCommand } from '#lib/shell-safety';
import { Answers, RequireScope, Summary } from '../http/index.js';
import { shellVerdictView } from './shell-verdict-view.js';

@ApiTags('Shell')
@Controller('v1/shell')
export class ShellController {
  @Summary(
    'The verdict on a command line: its tier, its class, and each part with its reasons and its place. Executes nothing.',
  )
  @Post('classify')
  @RequireScope('read')
  @Answers(200, shellVerdictSchema)
  classify(@Body({ schema: classifyShellSchema }) { command, shell }: ClassifyShellBody): ShellVerdictView {
    return shellVerdictView(classifyCommand(command, shell));
  }
}
