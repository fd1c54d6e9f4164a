import { Module, type DynamicModule } from '@nestjs/common';
import { LocalPage } from './local-page.js';
import { WebController } from './web.controller.js';
import { WebFiles } from './web-files.js';

@Module({})
export class WebModule {
  /** @param publicUrl where people reach Countersign. */
  static of(publicUrl: string): DynamicModule {
    const providers = [WebFiles, { provide: LocalPage, useFactory: () => new LocalPage(publicUrl) }];
    return { module: WebModule, controllers: [WebController], providers };
  }
}
