// Receivers and actions of a rule, each in one cell of a sheet: `bell, email "Plant" to admin, roster "Night"; again every 15 min`
// and `{Pump 1 / Valve} = 0 after 5 s; call "https://…"; notify admin: "Close it"`. People are identified by account, or by `#12` for a
// number. Pure.
import { type AlarmPush, PushMethod } from '../../alarm-rules/alarm-push.ts'
import { type Named, number, pointText, type Reader, reader, readPoint } from './text.ts'

/** Receivers and methods: `N` is a number as stored, or a name as in a sheet. */
export type Audience<N> = { PushUsers: N[]; PushRosters?: N[]; PushMethods: { Method: 1 | 2 | 3 | 4 | 5 | 6 | 7; TemplateId?: N | null }[] }
export type Push<N> = Omit<AlarmPush, keyof Audience<N> | 'StepPush'> &
  Audience<N> & { StepPush?: { Enabled: 0 | 1; Steps: (Audience<N> & { Delay: number })[] } | null }
export type Write<P> = { ParaId: P; Value: number; DelayS?: number }
export type Action<N> = { Type: 1 | 3 | 5; Url?: string; PushUsers?: N[]; Text?: string; Urgency?: 1 | 2 | 3 } & Whom<N>
/** The assignee of an order: a person, a roster or a department. */
export type Whom<N> = { UserId?: N; TeamId?: N; DepartmentId?: N }
export type Doing<N, P> = { writes: Write<P>[]; actions: Action<N>[] }

const ways = { bell: 1, sms: 2, email: 3, wechat: 4, dingtalk: 5, voice: 6, webhook: 7 } as const satisfies Record<string, number>
const wayOf = Object.fromEntries(Object.entries(ways).map(([word, method]) => [method, word]))
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
const who = (account: string) => (/^(?:\w+|#\d+)$/.test(account) ? account : quote(account))
const named = (name: string) => (/^#\d+$/.test(name) ? name : quote(name))

const audienceText = (a: Audience<string>) => {
  const by = a.PushMethods.map((m) => `${wayOf[m.Method]}${m.TemplateId ? ` ${named(m.TemplateId)}` : ''}`)
  const whom = [...a.PushUsers.map(who), ...(a.PushRosters ?? []).map((r) => `roster ${named(r)}`)]
  return [by.join(', '), whom.length ? `to ${whom.join(', ')}` : ''].filter(Boolean).join(' ')
}
const orderText = ({ UserId, TeamId, DepartmentId, Urgency }: Action<string>) =>
  [
    'order',
    Urgency ? `urgency ${Urgency}` : '',
    UserId ? `to ${who(UserId)}` : '',
    TeamId ? `to roster ${named(TeamId)}` : '',
    DepartmentId ? `to department ${named(DepartmentId)}` : '',
  ]
    .filter(Boolean)
    .join(' ')
const unit = { 1: 's', 2: 'min' } as const

/** Omits disabled parts. */
export const pushText = (p: Push<string> | null): string => {
  if (!p) return ''
  const quiet = p.NoDisturb?.Enabled ? p.NoDisturb : undefined
  return [
    audienceText(p),
    p.PushStyle === 2 ? `again every ${p.RepeatMinutes} min` : '',
    p.PushStyle === 3 ? 'first and recovery' : '',
    p.RecoveryNotice ? 'recovery' : '',
    (p.AlarmLevel ?? 1) > 1 ? `from level ${p.AlarmLevel}` : '',
    p.AntiShakeDuration ? `${p.AntiShakeFrequency} times in ${p.AntiShakeDuration} ${unit[p.AntiShakeUnit ?? 1]}` : '',
    quiet ? `quiet ${quiet.Start}-${quiet.End} ${quiet.Mode === 1 ? 'drop' : 'hold'}` : '',
    ...(p.StepPush?.Enabled ? p.StepPush.Steps : []).map((s) => `after ${s.Delay} min ${audienceText(s)}`),
  ]
    .filter(Boolean)
    .join('; ')
}

export const doingText = ({ writes, actions }: Doing<string, Named>): string =>
  [
    ...writes.map((w) => `${pointText(w.ParaId)} = ${w.Value}${w.DelayS ? ` after ${w.DelayS} s` : ''}`),
    ...actions.map((a) =>
      a.Type === 1
        ? orderText(a)
        : a.Type === 3
          ? `call ${quote(a.Url ?? '')}`
          : `notify ${(a.PushUsers ?? []).map(who).join(', ')}${a.Text ? `: ${quote(a.Text)}` : ''}`,
    ),
  ].join('; ')

const quoted = ({ take }: Reader) => take(/"((?:[^"]|"")*)"/)?.[1]?.replaceAll('""', '"')
const readName = (r: Reader): string | undefined => r.take(/(#\d{1,15})\b/)?.[1] ?? quoted(r)
const readWho = (r: Reader): string => readName(r) ?? r.need(/(\w+)/)[1]!
const listOf = <T>(r: Reader, one: () => T): T[] => {
  const items = [one()]
  while (r.take(/,/)) items.push(one())
  return items
}

const readAudience = (r: Reader): Audience<string> => {
  const a: Audience<string> = { PushUsers: [], PushMethods: [] }
  const way = new RegExp(`(${Object.keys(ways).join('|')})\\b`)
  const whom = r.take(/to\b/)
  if (!whom)
    a.PushMethods = listOf(r, () => {
      const Method = ways[r.need(way)[1]!.toLowerCase() as keyof typeof ways]
      const TemplateId = Method === PushMethod.site || Method === PushMethod.webhook ? undefined : readName(r)
      return { Method, ...(TemplateId === undefined ? {} : { TemplateId }) }
    })
  if (whom || r.take(/to\b/))
    listOf(r, () => {
      if (r.take(/roster\b(?=\s*["#])/)) a.PushRosters = [...(a.PushRosters ?? []), readName(r)!]
      else a.PushUsers.push(readWho(r))
    })
  return a
}

const parts = (r: Reader, one: () => void) => {
  do one()
  while (r.take(/;/))
  if (!r.end()) r.fail()
}

/** @throws Unreadable with the text at which parsing ended. */
export const readPush = (text: string): Push<string> | null => {
  if (!text.trim()) return null
  const r = reader(text)
  const push: Push<string> = { PushUsers: [], PushMethods: [], PushStyle: 1 }
  const steps: NonNullable<Push<string>['StepPush']>['Steps'] = []
  const readPart = () => {
    const every = r.take(/again\s+every\s+(\d{1,6})\s*min\b/)
    if (every) return Object.assign(push, { PushStyle: 2, RepeatMinutes: Number(every[1]) })
    if (r.take(/first\s+and\s+recovery\b/)) return Object.assign(push, { PushStyle: 3 })
    if (r.take(/recovery\b/)) return Object.assign(push, { RecoveryNotice: 1 })
    const level = r.take(/from\s+level\s+([123])\b/)
    if (level) return Object.assign(push, { AlarmLevel: Number(level[1]) })
    const shake = r.take(/(\d{1,6})\s*times\s+in\s+(\d{1,6})\s*(s|min)\b/)
    if (shake)
      return Object.assign(push, {
        ...{ AntiShakeFrequency: Number(shake[1]), AntiShakeDuration: Number(shake[2]), AntiShakeUnit: shake[3] === 's' ? 1 : 2 },
      })
    const quiet = r.take(/quiet\s+(\d\d:\d\d)\s*-\s*(\d\d:\d\d)\s+(drop|hold)\b/)
    if (quiet) return Object.assign(push, { NoDisturb: { Enabled: 1, Start: quiet[1], End: quiet[2], Mode: quiet[3] === 'drop' ? 1 : 2 } })
    const after = r.take(/after\s+(\d{1,6})\s*min\b/)
    if (after) return void steps.push({ Delay: Number(after[1]), ...readAudience(r) })
    return Object.assign(push, readAudience(r))
  }
  parts(r, readPart)
  return steps.length ? { ...push, StepPush: { Enabled: 1, Steps: steps } } : push
}

const readOrder = (r: Reader): Action<string> => {
  const urgency = r.take(/urgency\s+([123])\b/)
  const order = { Type: 1 as const, ...(urgency ? { Urgency: Number(urgency[1]) as 1 | 2 | 3 } : {}) }
  if (!r.take(/to\b/)) return order
  if (r.take(/roster\b(?=\s*["#])/)) return { ...order, TeamId: readName(r)! }
  if (r.take(/department\b(?=\s*["#])/)) return { ...order, DepartmentId: readName(r)! }
  return { ...order, UserId: readWho(r) }
}

/** @throws Unreadable with the text at which parsing ended. */
export const readDoing = (text: string): Doing<string, Named> => {
  const doing: Doing<string, Named> = { writes: [], actions: [] }
  if (!text.trim()) return doing
  const r = reader(text)
  parts(r, () => {
    if (r.take(/call\b/)) return void doing.actions.push({ Type: 3, Url: quoted(r) ?? r.need(/([^\s;"]+)/)[1]! })
    if (r.take(/order\b/)) return void doing.actions.push(readOrder(r))
    if (r.take(/notify\b/)) {
      const PushUsers = listOf(r, () => readWho(r))
      const Text = r.take(/:/) ? (quoted(r) ?? r.fail()) : undefined
      return void doing.actions.push({ Type: 5, PushUsers, ...(Text ? { Text } : {}) })
    }
    const ParaId = readPoint(r)
    r.need(/=/)
    const Value = Number(r.need(number)[1])
    const after = r.take(/after\s+(\d{1,6})\s*s\b/)
    doing.writes.push({ ParaId, Value, ...(after ? { DelayS: Number(after[1]) } : {}) })
  })
  return doing
}

type Naming<A, B> = { user: (user: A) => B; roster: (roster: A) => B; template: (method: number, template: A) => B }
const renamed = <A, B>(a: Audience<A>, to: Naming<A, B>): Audience<B> => ({
  PushUsers: a.PushUsers.map(to.user),
  ...(a.PushRosters ? { PushRosters: a.PushRosters.map(to.roster) } : {}),
  PushMethods: a.PushMethods.map(({ Method, TemplateId }) => ({
    Method,
    ...(TemplateId === null || TemplateId === undefined ? {} : { TemplateId: to.template(Method, TemplateId) }),
  })),
})
/** Replaces names by numbers, or the reverse. */
export const renamedPush = <A, B>(p: Push<A>, to: Naming<A, B>): Push<B> => {
  const { StepPush, PushUsers: _, PushRosters: __, PushMethods: ___, ...rest } = p
  const Steps = StepPush?.Steps.map((s) => ({ Delay: s.Delay, ...renamed(s, to) }))
  return { ...rest, ...renamed(p, to), ...(StepPush && Steps ? { StepPush: { Enabled: StepPush.Enabled, Steps } } : {}) }
}
