import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Fault, type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Check } from '../../../../server/resource/store.ts'
import type { Stored } from '../../../../server/telemetry/sample.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import { device } from '../../../configuration/devices/contract.ts'
import type { RuleConfigure } from '../../alarm-rules/alarm-configure.ts'
import { alarmRule, alarmRuleCalls, ListedRule } from '../../alarm-rules/contract.ts'
import { plansOf } from './handling.ts'
import { rosterRoutes } from './rosters.ts'
import { checkConfigure, shapeFaults } from './ruleCheck.ts'
import { audienceNames } from './ruleEffects.ts'
import type { PlantRegistry } from './ruleRegistry.ts'
import {
  checkRule,
  checkTurn,
  copyRules,
  createRules,
  listRules,
  ruleModels,
  rulePoints,
  rules,
  ruleUsers,
  sendInfo,
  tenantOf,
} from './ruleService.ts'
import { type Read, tryRule } from './tryRule.ts'

export type RuleParts = { registry: PlantRegistry; newest: (point: number) => Stored | undefined; read: Read; clock: () => number }

const r = alarmRule
const _changed = (Changed: number) => ({ Changed })
const listed = (ids: string | undefined) => ids?.split(',').map(Number)
const numbers = (ids: string | undefined): number[] => {
  const list = listed(ids) ?? []
  if (list.some((id) => !Number.isSafeInteger(id)) || list.length > 1000) throw new Fault('notFound')
  return list
}

export const alarmRuleRoutes = (app: FastifyInstance, { registry, newest, read, clock }: RuleParts) => {
  const trying = new Set<number>()
  crud(app, r, {
    except: ['create'],
    check: checkRule as Check,
    checkAct: checkTurn as Check,
    own: { list: listRules },
    shapes: { row: ListedRule },
  })
  rosterRoutes(app)
  serve(app, alarmRuleCalls.create, ({ db, actor, body }) => rules.create(db, actor, body))
  serve(app, alarmRuleCalls.batch, ({ db, actor, body }) => createRules(db, actor, body.Items))
  serve(app, alarmRuleCalls.command, ({ db, actor, body }) => copyRules(db, actor, body.Ids))
  serve(app, alarmRuleCalls.validate, async ({ db, actor, body, request }) => {
    const language = languageOf(request)
    const shape = shapeFaults(body.RuleConfigure)
    const faults = shape.length
      ? shape
      : (await checkConfigure(db, actor, body.RuleConfigure as RuleConfigure, body.AlarmLevel ?? 2)).faults
    const errorOf = ({ field, rule, values }: FieldFault) => ({
      Path: field,
      Message: word(language, rule.includes('.') ? rule : `fault.field.${rule}`, values),
    })
    return { Valid: !faults.length, Errors: faults.map(errorOf) }
  })
  serve(app, alarmRuleCalls.try, async ({ db, actor, body }) => {
    const level = body.AlarmLevel ?? 2
    const { faults, configure } = await checkConfigure(db, actor, body.RuleConfigure, level)
    if (faults.length) throw new FieldFaults(faults.map((f) => ({ ...f, field: `RuleConfigure.${f.field}` })))
    // One test per tenant at a time: it reads and evaluates up to millions of readings.
    if (trying.has(actor.EnterpriseId)) throw new Fault('busy')
    trying.add(actor.EnterpriseId)
    const end = clock()
    return tryRule(configure, level, { start: end - body.Days * day, end, registry, read, clock }).finally(() =>
      trying.delete(actor.EnterpriseId),
    )
  })
  serve(app, alarmRuleCalls.plans, async ({ db, actor, query }) =>
    db.rows(plansOf((await tenantOf(db, actor, query.ProjectId)).EnterpriseId)),
  )
  serve(app, alarmRuleCalls.models, ({ db, actor, query }) => ruleModels(db, actor, query.ProjectId))
  serve(app, alarmRuleCalls.sendInfo, ({ db, actor, query }) => sendInfo(db, actor, query.Id))
  serve(app, alarmRuleCalls.points, async ({ db, actor, query }) => {
    const devices = numbers(query.DeviceIds)
    const points = await rulePoints(db, actor, newest, { devices })
    if (devices.some((id) => !points.some((p) => p.DeviceId === id))) {
      const visibleDevices = await db.rows(sql`select 1 from device t where "Id" = any(${devices}::bigint[]) and ${visible(device, actor)}`)
      if (visibleDevices.length !== new Set(devices).size) throw new Fault('notFound')
    }
    return points
  })
  serve(app, alarmRuleCalls.search, async ({ db, actor, query }) => {
    const ids = query.ParaIds === undefined ? undefined : numbers(query.ParaIds)
    const points = await rulePoints(db, actor, newest, {
      ...(query.Search && !ids ? { search: query.Search } : {}),
      ...(query.ProjectId ? { project: query.ProjectId } : {}),
      ...(query.ModelId ? { model: query.ModelId } : {}),
      ...(query.Writable ? { writable: true } : {}),
      ...(ids ? { ids } : {}),
    })
    if (ids && points.length !== new Set(ids).size) throw new Fault('notFound')
    return points
  })
  serve(app, alarmRuleCalls.audience, async ({ db, actor, query }) => audienceNames(db, await tenantOf(db, actor, query.ProjectId)))
  serve(app, alarmRuleCalls.users, async ({ db, actor, query: { ProjectId, EnterpriseId } }) => {
    if (EnterpriseId && EnterpriseId !== actor.EnterpriseId && !actor.platform) throw new Fault('notFound')
    const tenant = EnterpriseId && !ProjectId ? { EnterpriseId } : await tenantOf(db, actor, ProjectId)
    return ruleUsers(db, actor, tenant, ProjectId !== undefined)
  })
}
