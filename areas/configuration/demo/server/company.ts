import { sql } from 'kysely'
import { demoPlant, demoZone } from '../../../../contract/demo-plant.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { hashPassword } from '../../../../server/identity/passwords.ts'
import { generated } from '../../../../server/identity/setup.ts'
import { store } from '../../../../server/resource/store.ts'
import { alarmPlan } from '../../../alarms/alarm-plans/contract.ts'
import { ruleWrites } from '../../../alarms/alarms/server/service.ts'
import { user } from '../../../people/users/contract.ts'

const closed = 'Demo account. Its password is known to nobody: reset it to sign in as this person.'
type Person = { no: string; name: string; role: string }
const people: Person[] = [
  { no: 'demo_elena', name: 'Elena Ruiz', role: 'Company manager' },
  { no: 'demo_marta', name: 'Marta Gil', role: 'Operator' },
  { no: 'demo_pablo', name: 'Pablo Soler', role: 'Operator' },
  { no: 'demo_javier', name: 'Javier Ortega', role: 'Maintainer' },
  { no: 'demo_lucia', name: 'Lucia Prieto', role: 'Maintainer' },
  { no: 'demo_david', name: 'David Moreno', role: 'Viewer' },
]

/** Finds a role by name. Creates the operator's if it is missing, with a viewer's screens and alarm handling. */
const roleOf = async (db: Db, EnterpriseId: number, name: string): Promise<number> => {
  const [held] = await db.rows<{ Id: number }>(
    sql`select "Id" from role where "EnterpriseId" = ${EnterpriseId} and "RoleName" = ${name} order by "Id" limit 1`,
  )
  if (held) return held.Id
  const [made] = await db.rows<{ Id: number }>(sql`
    insert into role ("EnterpriseId", "RoleName", "RouteRole", "MenuCodes")
    select "EnterpriseId", ${name}, "RouteRole", "MenuCodes" || '{m10201.acknowledge,m10201.handle}'::text[] from role
      where "EnterpriseId" = ${EnterpriseId} and "RoleName" = 'Viewer' limit 1 returning "Id"`)
  return made!.Id
}

/** Adds people who cannot sign in: their passwords are random, discarded and expired. Returns Ids by name. */
export const addPeople = async (db: Db, actor: Actor, PasswordHash: string, people: readonly Person[]) => {
  const ids = new Map<string, number>()
  for (const { no, name, role } of people) {
    const [taken] = await db.rows(sql`select 1 from "user" where lower("UserNO") = ${no}`)
    if (taken) continue
    const { Id } = await store(user).create(db, actor, { UserNO: no, UserName: name, Remark: closed })
    await db.all([
      sql`update "user" set "PasswordHash" = ${PasswordHash}, "MustChangePwd" = 1, "OneTimeUntil" = 'epoch' where "Id" = ${Id}`,
      sql`insert into user_role ("EnterpriseId", "UserId", "RoleId") values (${actor.EnterpriseId}, ${Id}, ${await roleOf(db, actor.EnterpriseId, role)})`,
    ])
    ids.set(no, Id)
  }
  return ids
}

type Condition = Record<string, unknown>
const always = (...Conditions: Condition[]) => ({ LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions }] })
const above = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3 }

/** One rule per kind: value, change, no data and clock, with every kind of delay and time window. */
const rulesOf = (at: (device: string, ...names: string[]) => { ParaId: number }[], deviceOf: (name: string) => number) => [
  {
    RuleName: 'River water is turbid',
    Remark: 'Rain upstream. Raise the coagulant dose before the filters see it.',
    AlarmLevel: 1,
    RuleConfigure: {
      ...always({ ...above, ParamValue: 24, Deadband: 3, AlarmParams: at('Raw water intake', 'Raw water turbidity') }),
      Severity: [
        { AlarmLevel: 2, ParamValue: 32 },
        { AlarmLevel: 3, ParamValue: 45 },
      ],
    },
  },
  {
    RuleName: 'Too little chlorine leaves the works',
    AlarmLevel: 3,
    IsSend: 1,
    RuleConfigure: {
      ...always({
        ...{ TriggerStyle: 1, TriggerCondition: 2, Duration: 120, OperateSymbol: 5, ParamValue: 0.35, Deadband: 0.05 },
        AlarmParams: at('Chlorine dosing', 'Free chlorine'),
      }),
      HoldOff: 60,
    },
  },
  {
    RuleName: 'UV lamp failed',
    AlarmLevel: 3,
    IsSend: 1,
    RuleConfigure: always({
      ...{ TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 1, ParamValue: 1 },
      AlarmParams: at('UV reactor', 'Lamp 1 failed', 'Lamp 2 failed', 'Lamp 3 failed', 'Lamp 4 failed'),
    }),
  },
  {
    RuleName: 'Bearing runs warm',
    Remark: 'Grease it. Above 90 °C stop the pump.',
    AlarmLevel: 2,
    RuleConfigure: {
      ...always({
        ...{ ...above, ParamValue: 72, Deadband: 4 },
        AlarmParams: ['Pump 1 bearing temperature', 'Pump 2 bearing temperature', 'Pump 3 bearing temperature'].map((ParaName) => ({
          ParaName,
        })),
        DeviceSelection: { Type: 1, DeviceIds: [deviceOf('High service pumps')] },
      }),
      Severity: [{ AlarmLevel: 3, ParamValue: 90 }],
    },
  },
  {
    RuleName: 'Tower level drops suddenly',
    AlarmLevel: 2,
    RuleConfigure: always({
      ...{ TriggerStyle: 2, TriggerCondition: 1, OperateSymbol: 5, ParamValue: -0.5 },
      AlarmParams: at('Outlet and tower', 'Tower level'),
    }),
  },
  {
    RuleName: 'Power meter is silent',
    AlarmLevel: 2,
    RuleConfigure: always({
      ...{ TriggerStyle: 3, TriggerCondition: 1, Duration: 120 },
      AlarmParams: [...at('Intake power meter', 'Frequency'), ...at('Delivery power meter', 'Frequency')],
    }),
  },
  {
    RuleName: 'Unusual flow at night',
    Remark: 'When the town sleeps, this is a burst pipe.',
    AlarmLevel: 2,
    RuleConfigure: {
      ...always({
        ...{ TriggerStyle: 1, TriggerCondition: 2, Duration: 600, OperateSymbol: 8, ParamValue: 60, ParamValue2: 230 },
        AlarmParams: at('Outlet and tower', 'Town demand'),
      }),
      EnableType: 1,
      EnableRule: { TimeZone: demoZone, StartTime: '01:00', EndTime: '04:30' },
    },
  },
  {
    RuleName: 'Day tanks before the shift',
    AlarmLevel: 1,
    RuleConfigure: {
      LogicSymbol: 2,
      EnableType: 2,
      EnableRule: { TimeZone: demoZone, Cron: '0 45 5 * * ?' },
      RuleList: [
        {
          LogicSymbol: 2,
          Conditions: [
            { ...above, OperateSymbol: 5, ParamValue: 20, AlarmParams: at('Settling basin', 'Coagulant tank level') },
            { ...above, OperateSymbol: 5, ParamValue: 20, AlarmParams: at('Chlorine dosing', 'Hypochlorite level') },
          ],
        },
      ],
    },
  },
  {
    RuleName: 'Cold room door opens again and again',
    AlarmLevel: 1,
    RuleConfigure: always({
      ...{ TriggerStyle: 1, TriggerCondition: 3, Frequency: 3, Duration: 900, OperateSymbol: 1, ParamValue: 1 },
      AlarmParams: at('Cold room', 'Door open'),
    }),
  },
  {
    RuleName: 'Delivery takes much power',
    Remark: 'Looked at every quarter of an hour, as the supplier bills it.',
    AlarmLevel: 1,
    RuleConfigure: always({
      ...{ TriggerStyle: 4, TriggerCondition: 1, Duration: 900, OperateSymbol: 3, ParamValue: 115 },
      AlarmParams: at('Delivery power meter', 'Active power'),
    }),
  },
]

/** Seeds the demo company's people, alarm plan and ten rules. Returns the people who act on alarms. */
export const seedCompany = async (db: Db, actor: Actor, points: readonly (number | undefined)[], passwordHash: string) => {
  const ids = await addPeople(db, actor, passwordHash, people)
  const named = new Map<string, number>()
  let i = 0
  for (const { DeviceName, Points } of demoPlant)
    for (const p of Points) {
      const id = points[i++]
      if (id !== undefined) named.set(`${DeviceName}/${p.ParaName}`, id)
    }
  const devices = await db.rows<{ Id: number; DeviceName: string }>(
    sql`select distinct d."Id", d."DeviceName" from device d join point p on p."DeviceId" = d."Id" where p."Id" = any(${[...named.values()]}::bigint[])`,
  )
  const at = (device: string, ...names: string[]) => names.map((name) => ({ ParaId: named.get(`${device}/${name}`)! }))
  const plan = await store(alarmPlan).create(db, actor, {
    PlanName: 'A UV lamp has failed',
    Content: 'Look at the other lamps of its ballast.\nReset the ballast.\nIf the lamp stays dark, replace it and enter its hours.',
  })
  const audience = [ids.get('demo_marta'), ids.get('demo_pablo')].filter((id) => id !== undefined)
  const AlarmPush = { PushUsers: audience, PushMethods: [{ Method: 1 }], PushStyle: 3 }
  for (const rule of rulesOf(at, (name) => devices.find((d) => d.DeviceName === name)!.Id))
    await ruleWrites.create(db, actor, {
      ...rule,
      ...{ RuleType: 1, Status: 1, AlmPlanId: rule.RuleName === 'UV lamp failed' ? plan.Id : null },
      ...(rule.IsSend && audience.length ? { AlarmPush } : { IsSend: 0 }),
    })
}

/** Hashed before the transaction starts. The password is not stored. */
export const unknownPassword = () => hashPassword(generated() + generated())
export const demoAccounts = people.map(({ no }) => no)
