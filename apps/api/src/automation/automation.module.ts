import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { AutomationSafeListController } from './automation-safe-list.controller.js';
import { AutomationWebhookController } from './automation-webhook.controller.js';
import { AutomationsController } from './automations.controller.js';

@Module({})
export class AutomationModule {
  static of({ automation, identity, signIn }: Installation): DynamicModule {
    return stageModule(AutomationModule, {
      controllers: [AutomationsController, AutomationWebhookController, AutomationSafeListController],
      helpers: [GuardedAnswers],
      uses: [
        automation.readSafeTools,
        automation.proposeAutomation,
        automation.previewAutomation,
        automation.changeAutomation,
        automation.withdrawAutomation,
        automation.requestAutomationRun,
        automation.receiveAutomationWebhook,
        automation.renewAutomationSecret,
        signIn.findTenant,
        automation.readAutomations,
        automation.acceptTool,
        automation.removeSafeTool,
        identity.readRoles,
      ],
    });
  }
}
