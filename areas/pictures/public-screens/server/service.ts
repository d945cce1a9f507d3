import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Database } from '../../../../server/database/db.ts'
import { networkOf } from '../../../../server/http/addresses.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { type Rate, rate } from '../../../../server/jobs/throttle.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { standingAlarms } from '../../flowcharts/server/service.ts'
import { share } from '../../shares/contract.ts'
import { hashOf, pinHashOf } from '../../shares/server/service.ts'
import type { FollowedValue, SharedScreen, sharedCalls } from '../contract.ts'
import { openLookers, type Source, type Target } from './lookers.ts'
import { sharedBoard, sharedMap, sharedPicture, sharedProject } from './screens.ts'
import { openVisits, type Visit } from './visits.ts'

type Found = Omit<Target, 'right'> & { Id: number; ShareName: string; WithPin: number; PinHash: Buffer | null }
export type Needs = {
  database: Database
  sessions: Pick<Sessions, 'actorOf'>
  attempts: Attempts
  telemetry: Pick<Telemetry, 'latest' | 'query'>
  /** ms since 1970, and ms of a clock that nobody sets. */
  clock: () => number
  steady: () => number
}

/** Tokens that are none: thirty at once from an address, then one in ten seconds. */
const openGuesses = (steady: () => number) => {
  const rates = new Map<string, Rate>()
  return (ip: string) => {
    const network = networkOf(ip)
    const own = rates.get(network) ?? rate(0.1, 30, steady)
    if (rates.size >= 10_000) rates.clear()
    rates.set(network, own)
    return own
  }
}

/** Shows what is shared to whoever has the link. */
export const openShared = ({ database, sessions, attempts, telemetry, clock, steady }: Needs) => {
  const { system } = database
  const lookers = openLookers(database, sessions, steady)
  const visits = openVisits(steady)
  const guessesOf = openGuesses(steady)

  const find = async (where: ReturnType<typeof sql>): Promise<Found | undefined> => {
    const [row] = await system.rows<Found>(sql`
      select "Id", "EnterpriseId", "UserId", "Kind", "FlowchartId", "VisualBoardId", "ProjectId", "Parameters", "ShareName", "WithPin", "PinHash"
      from share where ${where} and "ValidTo" > ${new Date(clock())}`)
    return row
  }
  const sourceOf = (id: number): Source => ({
    key: `share ${id}`,
    find: async () => {
      const found = await find(sql`"Id" = ${id}`)
      return found && { ...found, right: `${share.permission}.add` }
    },
  })
  const count = (id: number) =>
    system.rows(sql`update share set "Views" = "Views" + 1, "LastUsedTime" = ${new Date(clock())} where "Id" = ${id}`)

  /** A wrong PIN counts against its address, and against the link. */
  const checkPin = async ({ Id, PinHash }: Found, { Token, Pin }: { Token: string; Pin: string }, ip: string) => {
    const given = pinHashOf(Token, Pin)
    const isRight = await attempts.judge(`share ${Id}`, { pinFrom: ip }, async () => !!PinHash && timingSafeEqual(PinHash, given))
    if (!isRight) throw new FieldFaults([{ field: 'Pin', rule: 'share.pinWrong' }])
  }

  const screenOf = async (visit: Visit, language: Language): Promise<SharedScreen> => {
    const seen = { ...(await lookers.look(visit.source)), language, telemetry, now: clock() }
    const { Kind } = seen.target
    if (Kind === 1) return { Picture: await sharedPicture(seen) }
    if (Kind === 2) return { Board: await sharedBoard(seen) }
    return Kind === 3 ? { Map: await sharedMap(seen) } : { Project: await sharedProject(seen) }
  }
  const devicesOf = async (points: readonly number[]) => {
    const rows = await system.rows<{ Id: number }>(sql`select distinct "DeviceId" as "Id" from point where "Id" = any(${points}::bigint[])`)
    return rows.map(({ Id }) => Id)
  }
  const pointsIn = (screen: SharedScreen) => {
    if ('Picture' in screen) return screen.Picture.Points
    if ('Board' in screen) return screen.Board.Data.Points
    return 'Project' in screen ? screen.Project.Points : []
  }

  return {
    visits,
    lookers,
    /** @throws Fault `notFound` for a link that is none, or has ended; `tooMany` for guesses and for too many viewers */
    async open({ Token, Pin }: Body<typeof sharedCalls.open>, ip: string): Promise<Answer<typeof sharedCalls.open>> {
      const guesses = guessesOf(ip)
      if (guesses.left() < 1) throw new Fault('tooMany')
      guesses.take()
      const found = await find(sql`"TokenHash" = ${hashOf(Token)}`)
      if (!found) throw notFound()
      // A link that exists costs no guess.
      guesses.take(-1)
      const { EnterpriseId, Id, Kind, ShareName, WithPin } = found
      const source = sourceOf(Id)
      if (WithPin && Pin !== undefined) await checkPin(found, { Token, Pin }, ip)
      await lookers.look(source)
      const said = { Kind, ShareName, CompanyName: await lookers.companyName(EnterpriseId) }
      if (WithPin && Pin === undefined) return { Visit: null, ...said }
      const visit = visits.begin(source)
      await count(Id)
      return { Visit: visit.id, ...said }
    },
    async show(id: string, language: Language): Promise<SharedScreen> {
      const visit = visits.find(id)
      const screen = await screenOf(visit, language)
      visit.points = pointsIn(screen).map(({ ParaId }) => ParaId)
      visit.devices = await devicesOf(visit.points)
      visit.sent.clear()
      return screen
    },
    async follow({ Visit, Seq }: Body<typeof sharedCalls.follow>): Promise<Answer<typeof sharedCalls.follow>> {
      const visit = visits.find(Visit)
      const { actor, db, target, version } = await lookers.look(visit.source)
      // What was sent last did not arrive.
      if (Seq !== visit.seq) visit.sent.clear()
      const Values = visit.points.flatMap((id): FollowedValue[] => {
        const s = telemetry.latest.get(id)
        if (!s || visit.sent.get(id) === s.time) return []
        visit.sent.set(id, s.time)
        return [[id, s.time, s.value, s.quality]]
      })
      const Alarms = target.Kind === 1 && visit.points.length ? await standingAlarms(db, actor, visit.points, visit.devices) : []
      return { Seq: ++visit.seq, Values, Alarms, Version: version }
    },
  }
}
