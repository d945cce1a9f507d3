import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Database } from '../../../../server/database/db.ts'
import type { FileStore } from '../../../../server/files/store.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { openGuesses } from '../../../../server/http/guesses.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { rate } from '../../../../server/jobs/throttle.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import type { Standing } from '../../flowcharts/contract.ts'
import { standingAlarms } from '../../flowcharts/server/service.ts'
import type { Tiles } from '../../maps/server/service.ts'
import { share, targetOf } from '../../shares/contract.ts'
import { hashOf, pinHashOf } from '../../shares/server/service.ts'
import { television } from '../../televisions/contract.ts'
import { markSeen, pairedTelevision, televisionOf } from '../../televisions/server/service.ts'
import { type FollowedValue, mostViewers, type SharedScreen, type sharedCalls } from '../contract.ts'
import { openKept, openLookers, type Source, type Target } from './lookers.ts'
import { openPieces } from './pieces.ts'
import { sharedBoard, sharedMap, sharedPicture, sharedProject } from './screens.ts'
import { openSending } from './sending.ts'
import { openVisits } from './visits.ts'

type Found = Omit<Target, 'right'> & { Id: number; ShareName: string; WithPin: number; PinHash: Buffer | null }
export type Needs = {
  database: Database
  sessions: Pick<Sessions, 'actorOf'>
  attempts: Attempts
  telemetry: Pick<Telemetry, 'latest' | 'query' | 'withFormulas'>
  tiles: Pick<Tiles, 'source' | 'tile'>
  /** The contents of files. */
  store: Pick<FileStore, 'get'>
  /** Clocks: ms since 1970, and monotonic ms. */
  clock: () => number
  steady: () => number
}

/** Stored links. */
const openLinks = ({ database: { system }, clock }: Needs) => {
  const find = async (where: ReturnType<typeof sql>): Promise<Found | undefined> => {
    const [row] = await system.rows<Found>(sql`
      select "Id", "EnterpriseId", "UserId", "Kind", "FlowchartId", "VisualBoardId", "ProjectId", "Parameters", "ShareName", "WithPin", "PinHash"
      from share where ${where} and "ValidTo" > ${new Date(clock())}`)
    return row
  }
  return {
    async byToken(token: string): Promise<Found> {
      const found = await find(sql`"TokenHash" = ${hashOf(token)}`)
      if (!found) throw notFound()
      return found
    },
    sourceOf: (id: number): Source => ({
      key: `share ${id}`,
      find: async () => {
        const found = await find(sql`"Id" = ${id}`)
        if (!found) return
        const { EnterpriseId, UserId, Kind, FlowchartId, VisualBoardId, ProjectId, Parameters } = found
        return { EnterpriseId, UserId, Kind, FlowchartId, VisualBoardId, ProjectId, Parameters, right: `${share.permission}.add` }
      },
    }),
    count: (id: number) =>
      system.rows(sql`update share set "Views" = "Views" + 1, "LastUsedTime" = ${new Date(clock())} where "Id" = ${id}`),
  }
}

const nothing = { FlowchartId: null, VisualBoardId: null, ProjectId: null, Parameters: null }
/** Entries of a display's playlist, each as a separate source. */
const entriesOf = ({ database: { system }, clock }: Needs, id: number, count: number): Source[] =>
  Array.from({ length: count }, (_, at) => ({
    key: `television ${id}:${at}`,
    isDisplay: true,
    find: async () => {
      const { EnterpriseId, UserId, Playlist } = await pairedTelevision(system, id, clock())
      const entry = Playlist[at]
      const field = entry && targetOf[entry.Kind]
      if (!entry) return
      return {
        EnterpriseId,
        UserId,
        Kind: entry.Kind,
        ...nothing,
        ...(field && { [field]: entry.Id }),
        ...(entry.Parameters && { Parameters: entry.Parameters }),
        right: `${television.permission}.add`,
      }
    },
  }))

const pointsIn = (screen: SharedScreen) => {
  if ('Picture' in screen) return screen.Picture.Points
  if ('Board' in screen) return screen.Board.Data.Points
  return 'Project' in screen ? screen.Project.Points : []
}

const seenMs = 60_000
/** Records once a minute that a display is in use. */
const openPresence =
  ({ database: { system }, clock, steady }: Needs) =>
  (id: number) => {
    let seenAt = Number.NEGATIVE_INFINITY
    return () => {
      if (steady() - seenAt < seenMs) return
      seenAt = steady()
      markSeen(system, id, clock()).catch(() => {})
    }
  }

/** Replaces images by the addresses of a visit. */
const addressed = (screen: SharedScreen, show: (images: object) => Record<string, string>): SharedScreen => {
  if ('Board' in screen) return { Board: { ...screen.Board, Images: show(screen.Board.Images) } }
  return 'Map' in screen ? { Map: { ...screen.Map, Images: show(screen.Map.Images) } } : screen
}

/** Time for which displays share the data read for one of them, ms. */
const screenMs = 2000
/** Time for which viewers of a picture share its alarms, ms. */
const alarmsMs = 1000

/** Serves shared screens to holders of a link, and playlists to paired displays. */
export const openShared = (needs: Needs) => {
  const { database, sessions, attempts, telemetry, tiles, clock, steady } = needs
  const { system } = database
  const links = openLinks(needs)
  const lookers = openLookers(database, sessions, steady)
  const visits = openVisits(steady)
  const guess = openGuesses(steady)
  const screens = openKept<SharedScreen>(steady, screenMs)
  const send = openSending()
  const alarms = openKept<Standing[]>(steady, alarmsMs)
  const seenBy = openPresence(needs)

  /** A wrong PIN counts against the caller's address and the link. */
  const checkPin = async ({ Id, PinHash }: Found, { Token, Pin }: { Token: string; Pin: string }, ip: string) => {
    const given = pinHashOf(Token, Pin)
    const isRight = await attempts.judge(`share ${Id}`, { pinFrom: ip }, async () => !!PinHash && timingSafeEqual(PinHash, given))
    if (!isRight) throw new FieldFaults([{ field: 'Pin', rule: 'share.pinWrong' }])
  }
  const screenOf = async (source: Source, language: Language): Promise<SharedScreen> => {
    const looked = await lookers.look(source)
    const seen = { ...looked, language, telemetry, tiles, now: clock() }
    return screens(`${language} ${looked.key}`, async () => {
      const { Kind } = looked.target
      if (Kind === 1) return { Picture: await sharedPicture(seen) }
      if (Kind === 2) return { Board: await sharedBoard(seen) }
      return Kind === 3 ? { Map: await sharedMap(seen) } : { Project: await sharedProject(seen) }
    })
  }
  const devicesOf = async (points: readonly number[]) => {
    const rows = await system.rows<{ Id: number }>(sql`select distinct "DeviceId" as "Id" from point where "Id" = any(${points}::bigint[])`)
    return rows.map(({ Id }) => Id)
  }

  return {
    /** @throws Fault `notFound` if the link does not exist or has ended; `tooMany` for guesses and for too many viewers */
    async open({ Token, Pin }: Body<typeof sharedCalls.open>, ip: string): Promise<Answer<typeof sharedCalls.open>> {
      const found = await guess(ip, () => links.byToken(Token))
      const { EnterpriseId, UserId, Id, Kind, ShareName, WithPin } = found
      const source = links.sourceOf(Id)
      if (WithPin && Pin !== undefined) await checkPin(found, { Token, Pin }, ip)
      await lookers.look(source)
      const { CompanyName } = await lookers.namesOf(EnterpriseId, UserId)
      if (WithPin && Pin === undefined) return { Visit: null, Kind, ShareName, CompanyName }
      const shows = rate(0.05, 3, steady)
      const { id } = visits.begin({ key: source.key, tenant: EnterpriseId, atOnce: mostViewers, sources: [source], shows })
      await links.count(Id)
      return { Visit: id, Kind, ShareName, CompanyName }
    },
    /** @throws Fault `notFound` if the display is not paired */
    async play({ Token }: Body<typeof sharedCalls.play>, ip: string): Promise<Answer<typeof sharedCalls.play>> {
      const { Id, EnterpriseId, UserId, TelevisionName, Playlist, ShowAlarms } = await guess(ip, () => televisionOf(system, Token, clock()))
      const names = await lookers.namesOf(EnterpriseId, UserId)
      const sources = entriesOf(needs, Id, Playlist.length)
      // A display that was restarted briefly counts twice.
      const shows = rate(0.3, 5, steady)
      const of = { key: `television ${Id}`, tenant: EnterpriseId, television: Id }
      const { id } = visits.begin({ ...of, atOnce: 5, sources, shows, alive: seenBy(Id) })
      await markSeen(system, Id, clock())
      return { Visit: id, TelevisionName, ...names, Playlist, ShowAlarms }
    },
    show({ Visit, Entry }: Body<typeof sharedCalls.show>, language: Language, left: Promise<unknown>): Promise<SharedScreen> {
      const { visit, entry } = visits.find(Visit, Entry, 'shows')
      return send(visit, left, async () => {
        const screen = await screenOf(entry.source, language)
        entry.points = pointsIn(screen).map(({ ParaId }) => ParaId)
        entry.devices = 'Picture' in screen ? await devicesOf(entry.points) : []
        entry.sent.clear()
        return addressed(screen, (images) => visits.show(entry, Object.keys(images)))
      })
    },
    ...openPieces(needs, { visits, lookers, send }),
    async follow({ Visit, Entry, Seq }: Body<typeof sharedCalls.follow>): Promise<Answer<typeof sharedCalls.follow>> {
      const { entry } = visits.find(Visit, Entry, 'follows')
      const { actor, db, target, version, key } = await lookers.look(entry.source)
      // The last answer did not arrive.
      if (Seq !== entry.seq) entry.sent.clear()
      const Values = entry.points.flatMap((id): FollowedValue[] => {
        const s = telemetry.latest.get(id)
        if (!s || entry.sent.get(id) === s.time) return []
        entry.sent.set(id, s.time)
        return [[id, s.time, s.value, s.quality]]
      })
      const standing = () => alarms(`${key} ${version}`, () => standingAlarms(db, actor, entry.points, entry.devices))
      const Alarms = target.Kind === 1 && entry.points.length ? await standing() : []
      return { Seq: ++entry.seq, Values, Alarms, Version: version }
    },
  }
}
