import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  confirmTotpSchema,
  enrolTotpSchema,
  factorEnrolledSchema,
  factorListSchema,
  passkeyOptionsRequestSchema,
  passkeyRegistrationOptionsSchema,
  recoveryCodesSchema,
  registerPasskeySchema,
  removeFactorQuerySchema,
  renewRecoveryCodesSchema,
  totpOfferSchema,
  type EnrolTotpBody,
  type FactorEnrolledView,
  type FactorListView,
  type PasskeyRegistrationOptionsView,
  type RecoveryCodesView,
  type RegisterPasskeyBody,
  type TotpOfferView,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { FactorId, PersonPrincipal } from '#lib/kernel';
import { EnrolTotp, KeepFactors, RegisterPasskey } from '#lib/mfa';
import { Answers, AnswersNothing, CurrentPerson, RequirePerson, RequireScope, Summary, unwrap } from '../http/index.js';
import { asJson, factorListView, factorView } from './mfa-views.js';

@ApiTags('Second factors')
@Controller('v1/factors')
export class FactorsController {
  constructor(
    private readonly totp: EnrolTotp,
    private readonly passkeys: RegisterPasskey,
    private readonly keeping: KeepFactors,
  ) {}

  @Summary('The second factors of the caller.')
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, factorListSchema)
  async list(@CurrentPerson() by: PersonPrincipal): Promise<FactorListView> {
    return factorListView(await this.keeping.list(by));
  }

  @Summary('Offers a secret for an authenticator app. It counts once a code of it was confirmed.')
  @Post('totp')
  @RequireScope('review')
  @RequirePerson()
  @Answers(201, totpOfferSchema)
  async enrolTotp(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: enrolTotpSchema }) body: EnrolTotpBody,
  ): Promise<TotpOfferView> {
    const offer = unwrap(await this.totp.offer(by, { name: body.name, stepUpId: body.step_up_id }));
    return { id: offer.id, otpauth_uri: offer.uri, qr_svg: offer.qrSvg, secret: offer.secret };
  }

  @Summary('Confirms an authenticator app with a code of it; it takes the place of a former one.')
  @Post('totp/:id/confirm')
  @RequireScope('review')
  @RequirePerson()
  @Answers(200, factorEnrolledSchema)
  async confirmTotp(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: FactorId,
    @Body({ schema: confirmTotpSchema }) body: z.infer<typeof confirmTotpSchema>,
  ): Promise<FactorEnrolledView> {
    const { factor, recoveryCodes } = unwrap(await this.totp.confirm(by, id, body.code));
    return { factor: factorView(factor), recovery_codes: recoveryCodes === null ? null : [...recoveryCodes] };
  }

  @Summary(
    'Begins to register a passkey. Answers with the options for the browser, good for one answer within five minutes.',
  )
  @Post('passkeys/options')
  @RequireScope('review')
  @RequirePerson()
  @Answers(201, passkeyRegistrationOptionsSchema)
  async passkeyOptions(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: passkeyOptionsRequestSchema }) body: z.infer<typeof passkeyOptionsRequestSchema>,
  ): Promise<PasskeyRegistrationOptionsView> {
    return { options: asJson(unwrap(await this.passkeys.offer(by, body.step_up_id))) };
  }

  @Summary('Registers the passkey that answered.')
  @Post('passkeys')
  @RequireScope('review')
  @RequirePerson()
  @Answers(201, factorEnrolledSchema)
  async registerPasskey(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: registerPasskeySchema }) body: RegisterPasskeyBody,
  ): Promise<FactorEnrolledView> {
    const { factor, recoveryCodes } = unwrap(await this.passkeys.register(by, body.name, body.registration));
    return { factor: factorView(factor), recovery_codes: recoveryCodes === null ? null : [...recoveryCodes] };
  }

  @Summary('Ten new recovery codes in place of those that are left. Needs a step-up.')
  @Post('recovery-codes')
  @RequireScope('review')
  @RequirePerson()
  @Answers(201, recoveryCodesSchema)
  async renewRecoveryCodes(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: renewRecoveryCodesSchema }) body: z.infer<typeof renewRecoveryCodesSchema>,
  ): Promise<RecoveryCodesView> {
    return { recovery_codes: [...unwrap(await this.keeping.renewRecoveryCodes(by, body.step_up_id))] };
  }

  @Summary('Removes a factor. Needs a step-up; with the last factor the recovery codes go too.')
  @Delete(':id')
  @RequireScope('review')
  @RequirePerson()
  @AnswersNothing()
  async remove(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: FactorId,
    @Query({ schema: removeFactorQuerySchema }) query: z.infer<typeof removeFactorQuerySchema>,
  ): Promise<void> {
    unwrap(await this.keeping.remove(by, id, query.step_up_id));
  }
}
