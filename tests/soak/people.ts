import { pause } from '../faults/tiers.ts'
import type { FrontDoor } from '../front-door.ts'

/** Of twenty calls: lists, trends of seven points over a day, changes, exports. */
const kinds = [...Array(14).fill('list'), ...Array(3).fill('trend'), ...Array(2).fill('write'), 'export'] as Kind[]
type Kind = 'list' | 'trend' | 'write' | 'export'

export type People = ReturnType<typeof startPeople>

/** People who each make so many calls a second, or as many as are answered, until stopped; `login` signs somebody in. */
export const startPeople = (
  door: FrontDoor,
  tokens: readonly string[],
  {
    count,
    perSecond,
    ids,
    project,
    login,
  }: { count: number; perSecond: number; ids: readonly number[]; project: number; login: () => Promise<string> },
) => {
  let stopped = false
  let phase = ''
  const took: Record<Kind | 'login', { ms: number; phase: string }[]> = { list: [], trend: [], write: [], export: [], login: [] }
  const failures: { phase: string; kind: string; why: string }[] = []
  const measured = async (kind: Kind | 'login', work: () => Promise<string | undefined>) => {
    const from = performance.now()
    const began = phase
    const why = await work().catch((error: Error) => error.message)
    if (why === undefined) took[kind].push({ ms: performance.now() - from, phase: began })
    else failures.push({ phase: phase === 'killed' ? phase : began, kind, why })
  }
  const asked = async (token: string, method: string, path: string, body?: object) => {
    const answer = await door.call(token, method, path, body)
    return answer.Succeeded ? undefined : String(answer.Errors)
  }
  const exported = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${door.origin}/api/Project/Gateway/Output?Format=csv`, { headers })
    const text = await answer.text()
    return answer.ok && !text.startsWith('{') ? undefined : text.slice(0, 200)
  }
  const one = async (person: number) => {
    const token = tokens[person % tokens.length]!
    const period = 1000 / perSecond
    let due = performance.now() + Math.random() * period
    for (let i = person; !stopped; i++) {
      await pause(Math.max(0, due - performance.now()))
      due = Math.max(due + period, performance.now())
      const kind = kinds[(i * 7) % kinds.length]!
      const ParaIds = [...new Set(Array.from({ length: 7 }, (_, k) => ids[(person * 31 + i + k * 13) % ids.length]!))]
      const range = { ParaIds, Start: Date.now() - 86_400_000, End: Date.now(), Buckets: 500 }
      await measured(kind, () => {
        if (kind === 'list') return asked(token, 'GET', `/Project/DevPara/List?PageSize=20&PageIndex=${1 + (i % 50)}`)
        if (kind === 'trend') return asked(token, 'POST', '/DataCenter/ReportData/Data', range)
        if (kind === 'write') return asked(token, 'PUT', '/Project/Project', { Id: project, Remark: `${person} ${i}` })
        return exported(token)
      })
    }
  }
  const signIn = async () => {
    while (!stopped) {
      await measured('login', () => login().then(() => undefined))
      await pause(200)
    }
  }
  const all = Promise.all([signIn(), ...Array.from({ length: count }, (_, person) => one(person))])
  return {
    took,
    failures,
    /** Later entries belong to this phase. */
    enter: (name: string) => {
      phase = name
    },
    stop: () => {
      stopped = true
      return all
    },
  }
}
