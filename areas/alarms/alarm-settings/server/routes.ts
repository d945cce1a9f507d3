import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../../server/database/db.ts'
import { serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { alarmSetting, alarmSettingCalls, almGatewayTemplate, almTemplate } from '../contract.ts'
import { checkTemplate } from './ruleTemplates.ts'
import { peopleOf, saveSettings, settingsOf } from './service.ts'

export const alarmSettingRoutes = (app: FastifyInstance) => {
  for (const r of [almGatewayTemplate, alarmSetting]) crud(app, r)
  crud(app, almTemplate, { check: checkTemplate as Check })
  const own = async (db: Db, id: number) => (await settingsOf(db, [id])).get(id)!
  serve(app, alarmSettingCalls.own, ({ db, actor }) => own(db, actor.UserId))
  serve(app, alarmSettingCalls.saveOwn, async ({ db, actor, body }) => {
    await saveSettings(db, actor, [actor.UserId], body)
    return own(db, actor.UserId)
  })
  serve(app, alarmSettingCalls.users, ({ db, actor, query }) => peopleOf(db, actor, query))
  serve(app, alarmSettingCalls.saveUsers, ({ db, actor, body }) => saveSettings(db, actor, body.UserIds, body.Setting))
}
