import type { FastifyInstance } from 'fastify'
import { type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import { isNarrowed } from '../../../../server/identity/dataScope.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { type Check, tenantOf } from '../../../../server/resource/store.ts'
import { type AlarmPush, PushMethod } from '../../../alarms/alarm-rules/alarm-push.ts'
import { pushWrites } from '../../../alarms/alarms/server/service.ts'
import { mtnAlmTemplate } from '../contract.ts'

const r = mtnAlmTemplate

const steps = (push: AlarmPush) => [
  { at: '', ...push },
  ...(push.StepPush?.Steps ?? []).map((step, i) => ({ at: `StepPush.Steps.${i}.`, ...step })),
]
const toAll: ReadonlySet<number> = new Set([PushMethod.dingtalk, PushMethod.webhook])
/** A template applies to orders of all projects. A user who sees only some projects must not add a recipient of all messages. */
const withoutSight = (push: AlarmPush, before: AlarmPush | null | undefined): FieldFault[] => {
  const nameOf = ({ Method, TemplateId }: AlarmPush['PushMethods'][number]) => `${Method} ${TemplateId}`
  const had = new Set(before ? steps(before).flatMap(({ PushMethods }) => PushMethods.map(nameOf)) : [])
  return steps(push).flatMap(({ at, PushMethods }) =>
    PushMethods.flatMap((one, i) =>
      toAll.has(one.Method) && !had.has(nameOf(one))
        ? [{ field: `AlarmPush.${at}PushMethods.${i}.Method`, rule: 'mtnAlmTemplate.fault.allProjects' }]
        : [],
    ),
  )
}

/** Checks that the named people, rosters and templates exist and belong to the tenant. */
const check: Check = async (db, actor, given, held) => {
  const tenant = held?.EnterpriseId ?? (await tenantOf(db, actor, r, given))
  const [push, before] = [given.AlarmPush as AlarmPush | undefined, held?.AlarmPush as AlarmPush | null | undefined]
  const faults = push ? await pushWrites.faults(db, actor, tenant, push, before) : []
  if (push && isNarrowed(actor)) faults.push(...withoutSight(push, before))
  if (faults.length) throw new FieldFaults(faults)
  return given
}

export const maintenanceTemplateRoutes = (app: FastifyInstance) => crud(app, r, { check })
