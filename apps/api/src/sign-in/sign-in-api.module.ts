import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { BrowserSignInController } from './browser-sign-in.controller.js';
import { IssuersController } from './issuers.controller.js';
import { PasskeySignInController } from './passkey-sign-in.controller.js';
import { SessionsController } from './sessions.controller.js';

@Module({
  imports: [HttpModule],
  controllers: [BrowserSignInController, PasskeySignInController, SessionsController, IssuersController],
})
export class SignInApiModule {}
