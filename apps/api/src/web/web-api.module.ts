import { Module } from '@nestjs/common';
import { WebController } from './web.controller.js';
import { WebFiles } from './web-files.js';

@Module({ controllers: [WebController], providers: [WebFiles] })
export class WebApiModule {}
