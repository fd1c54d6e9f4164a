import { Controller, Get, Inject, Logger } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { FailureError } from '#lib/kernel';
import { Answers, Public, Summary } from '../http/index.js';
import { READINESS_CHECKS, type ReadinessCheck } from './readiness.js';

const logger = new Logger('Health');

const healthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

@ApiTags('Operation')
@Controller('health')
export class HealthController {
  #looking: Promise<readonly string[]> | null = null;

  constructor(@Inject(READINESS_CHECKS) private readonly checks: readonly ReadinessCheck[]) {}

  @Summary('The process runs. It checks no dependency, so that a broken database restarts nothing.')
  @Get('live')
  @Public()
  @Answers(200, healthSchema)
  live(): z.infer<typeof healthSchema> {
    return { status: 'ok' };
  }

  @Summary('The process can do its work: send it requests.')
  @Get('ready')
  @Public()
  @Answers(200, healthSchema)
  async ready(): Promise<z.infer<typeof healthSchema>> {
    // Anybody may ask: those who ask at the same time share one look, and its lines in the log.
    this.#looking ??= failures(this.checks).finally(() => {
      this.#looking = null;
    });
    const failed = await this.#looking;
    if (failed.length === 0) return { status: 'ok' };
    throw new FailureError({
      kind: 'unavailable',
      code: 'health.not_ready',
      message: `Not ready: ${failed.join(', ')}.`,
      action: 'The log of this process says why.',
      retryAfterSeconds: 5,
    });
  }
}

async function failures(checks: readonly ReadinessCheck[]): Promise<string[]> {
  const failed = checks.map((one) =>
    one.check().then(
      () => null,
      (error: unknown) => {
        logger.error({ err: error }, `not ready: ${one.name}`);
        return one.name;
      },
    ),
  );
  return (await Promise.all(failed)).filter((name) => name !== null);
}
