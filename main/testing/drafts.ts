import { emptyBoard } from '../../areas/pictures/boards/contract.ts'
import type { Field } from '../../contract/field.ts'
import { tenantPermissions } from '../../contract/menus.ts'
import { type Resource, writable } from '../../contract/resource.ts'
import { named } from '../../server/resource/sql.ts'
import type { Kit } from './kit.ts'

let count = 0

/** Fills the patterns that the contract uses, so that tests of sixty resources need no hand-made records. */
const patterned: Record<string, () => string | null> = {
  UserNO: () => `user_${++count}`,
  ValidFrom: () => new Date(Date.UTC(2026, 0, ++count)).toISOString().slice(0, 10),
  Expression: () => '1 + 1',
  EnergyCode: () => `E${++count}`,
  DrugCode: () => `D${++count}`,
  Formula: () => null,
  From: () => new Date(Date.UTC(2026, 0, ++count)).toISOString().slice(0, 10),
  TimeZoneKey: () => 'UTC',
  CurrencyCode: () => 'EUR',
  WarrantyUntil: () => '2026-01-31',
  StartDate: () => '2030-01-01',
  EndDate: () => '2030-01-31',
  ExecTime: () => '08:00',
  CardNo: () => String(++count).padStart(8, '0'),
  TimeZone: () => 'UTC',
  Cron: () => '0 0 0 1 1 ?',
  SN: () => `SN${String(++count).padStart(10, '0')}`,
  Address: () => String(++count % 60_000),
  DictCode: () => `Dict${++count}`,
  Code: () => `code_${++count}`,
  Colour: () => '#1d8df0',
  Ip: () => '127.0.0.1',
  Url: () => 'https://receiver.example/hook',
  // An address of this machine is refused.
  Host: () => 'panel.example',
  // Kept for parsers with a script; drafts have a mapping.
  Script: () => null,
  // By validator.
  host: () => '127.0.0.1',
  url: () => 'https://receiver.example/hook',
}

/** References of which a record needs one. Drafts have this one. */
const oneOfSeveral = new Set(['reportTemplate.GroupId'])

type Make = { id: (r: Resource) => Promise<number>; person: number }

/** Values with a shape of their own. */
const shaped: Record<string, (make: Make) => unknown> = {
  MenuCodes: () => ['m100'],
  OrganIds: () => [],
  RoleIds: () => [],
  UserIds: () => [],
  HiddenFields: () => [],
  AlarmPush: ({ person }) => ({ PushUsers: [person], PushMethods: [{ Method: 1 }] }),
  Shifts: ({ person }) => [{ Start: '06:00', End: '14:00', Users: [person] }],
  Times: () => [{ Name: 'Early', Start: '06:00', End: '14:00' }],
  Seasons: () => [
    { Months: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], Days: 0, Periods: [{ Start: '00:00', End: '24:00', Level: 3, Price: ++count }] },
  ],
  Tiers: () => [{ UpTo: null, Price: ++count }],
  BillLines: () => [{ Kind: 1, Quantity: ++count, Amount: 1 }],
  Charges: () => [{ Name: 'Meter', Amount: ++count, Per: 1 }],
  Taxes: () => [{ Name: 'VAT', Percent: 21 }],
  Content: () => emptyBoard,
  Frame: () => ({ By: 'length', Length: 7 }),
  Requests: () => [{ Send: '{addr} 03', Answer: '{addr} 03', Fields: [{ Key: `flow${++count}`, Type: 'u16', At: 2 }] }],
  Mapping: () => [{ Value: `values[*].v${++count}`, Key: { From: 'text', Is: 'key' } }],
  Drawing: () => ({ width: 40, height: 40, parts: [{ role: 'body', d: `M0 0H40V${(++count % 900) + 1}Z` }], ports: [] }),
  Lines: () => [
    [
      [1, 2],
      [3, 4],
    ],
  ],
  RuleConfigure: async ({ id }) => {
    const above = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 8 }
    const Conditions = [{ ...above, AlarmParams: [{ ParaId: await id(named('point')) }] }]
    return { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions }] }
  },
}

const sample = async (name: string, f: Field, make: Make): Promise<unknown> => {
  switch (f.kind) {
    case 'text':
    case 'long':
      if (patterned[name]) return patterned[name]()
      if ('validator' in f && f.validator && patterned[f.validator]) return patterned[f.validator]!()
      if (f.default !== undefined) return f.default
      return 'pattern' in f && f.pattern && !f.required ? null : `${name} ${++count}`.slice(-f.max)
    case 'number':
      // A Bool must not be scaled.
      if (name === 'ProjectHigh') return null
      // The low limit must be below the high limit.
      if (name === 'TempHigh' || name === 'HumHigh') return 50
      return f.default ?? f.min ?? (/High$|Max$/.test(name) ? 2 : 1)
    case 'flag':
      return 0
    case 'choice':
      return f.default ?? f.of[0]
    case 'instant':
      return '2026-01-31 12:34:56'
    case 'files':
      return f.required ? [] : null
    case 'ref':
      return f.required ? make.id(named(f.to)) : null
    case 'json':
      return shaped[name]?.(make) ?? f.default ?? (f.required ? {} : null)
  }
}

/** A valid draft of the resource. */
export const draftOf = async (r: Resource, make: Make, given: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
  const made: Record<string, unknown> = { ...given }
  for (const [name, f] of writable(r, 'create')) {
    if (name in made) continue
    const isChosen = f.kind === 'ref' && oneOfSeveral.has(`${r.name}.${name}`)
    made[name] = await sample(name, isChosen ? { ...f, required: true } : f, make)
  }
  return made
}

/** Drafts and rows for tests, made through the front door. */
export const maker = (kit: Kit, as = 'owner') => {
  const make: Make = { id: async (to) => (await create(to)).Id, person: kit.people.get(as)!.id }
  const draft = (r: Resource, given?: Record<string, unknown>) => draftOf(r, make, given)
  /** What only the platform may write, it writes for this person's tenant. */
  const create = async (r: Resource, given: Record<string, unknown> = {}) => {
    const reserved = !tenantPermissions.includes(r.permission)
    const body = { ...(await draft(r, given)), ...(reserved ? { EnterpriseId: kit.people.get(as)!.enterprise } : {}) }
    return kit.data<{ Id: number } & Record<string, unknown>>(reserved ? 'platform' : as, 'POST', r.path, body)
  }
  return { draft, create }
}
