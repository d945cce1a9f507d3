// Fetches tiles of a company's map server, so that browsers contact only us and the key never leaves the server.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Allowed, exchange, Refused } from '../../../../server/channels/outbound.ts'
import type { Database } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { type Rate, rate } from '../../../../server/jobs/throttle.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { mapTiles, type TileProblem, type TileSource } from '../contract.ts'
import type { TileCache } from './tileCache.ts'
import { imageOf } from './tileImage.ts'

type Source = { company: number; template: string; key: string; maxZoom: number } & TileSource
type Spot = { Z: number; X: number; Y: number }
export type TileNeeds = {
  database: Database
  vault: Vault
  cache: TileCache
  allowed: Allowed
  clock: () => number
  steady: () => number
}

const mostBytes = 1024 * 1024
const mostPixels = 1024
const freshMs = 7 * 24 * 3_600_000
const pauseMs = 30_000
/** Concurrent requests to one map server, in total and for one company: the platform's map server serves many. */
const [mostUnderWay, mostOfCompany] = [12, 6]
const timeoutMs = 5000

class Problem extends Error {
  readonly reason: TileProblem
  constructor(reason: TileProblem) {
    super(reason)
    this.reason = reason
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)
const addressOf = ({ template, key }: Source, { Z, X, Y }: Spot) =>
  template.replace(/\{(x|y|z|key)\}/g, (_, name: string) =>
    encodeURIComponent({ x: String(X), y: String(Y), z: String(Z), key }[name as 'x']),
  )

const fetchTile = async (allowed: Allowed, source: Source, spot: Spot): Promise<Buffer> => {
  const headers = { accept: 'image/png,image/webp,image/jpeg', 'user-agent': 'Penstock (map tiles)' }
  const answer = await exchange(addressOf(source, spot), {
    method: 'GET',
    headers,
    within: { allowed, tenant: source.company },
    timeoutMs,
    most: mostBytes,
  }).catch((error) => {
    throw new Problem(error instanceof Refused && !error.again ? 'refused' : 'unreachable')
  })
  if (answer.status !== 200) throw new Problem('status')
  if (answer.cut) throw new Problem('tooLarge')
  const image = imageOf(answer.body)
  if (!image) throw new Problem('noImage')
  if (image.width > mostPixels || image.height > mostPixels) throw new Problem('tooLarge')
  return answer.body
}

/** The map server of a company: its own, otherwise the platform's. */
const openSources = ({ database: { system }, vault }: TileNeeds) => {
  const providerOf = async (company: number) => {
    const [row] = await system.rows<{ MapProvider: string | null }>(sql`select "MapProvider" from enterprise where "Id" = ${company}`)
    return row?.MapProvider ?? undefined
  }
  const read = async (company: number): Promise<Source | undefined> => {
    const { TileUrl, TileSystem, TileZoom, Attribution } = await readSettings(system, mapTiles, company)
    if (!TileUrl) return undefined
    const key = (await vault.get(company, `${mapTiles.name}.TileKey`)) ?? ''
    const Mark = hash(JSON.stringify([company, TileUrl, key])).slice(0, 16)
    return { company, template: TileUrl, key, maxZoom: TileZoom, System: TileSystem, MaxZoom: TileZoom, Attribution, Mark }
  }
  return async (company: number): Promise<Source | undefined> => {
    const provider = (await providerOf(company)) ?? (await providerOf(platformEnterprise))
    if (provider !== 'tiles') return undefined
    return (await read(company)) ?? (company === platformEnterprise ? undefined : read(platformEnterprise))
  }
}

/** Tile rate of one person or visit: a burst of a few screens, then the rate of moving a map. */
const openThrottle = (steady: () => number) => {
  const rates = new Map<number | string, Rate>()
  return (person: number | string) => {
    const own = rates.get(person) ?? rate(30, 400, steady)
    rates.delete(person)
    rates.set(person, own)
    if (rates.size > 10_000) rates.delete(rates.keys().next().value!)
    if (own.left() < 1) throw new Fault('tooMany')
    own.take()
  }
}

/** A person, or a visitor of a company's link or display. */
type Asking = { EnterpriseId: number; UserId: number | string }
export type Tiles = ReturnType<typeof openTiles>

export const openTiles = (needs: TileNeeds) => {
  const { cache, allowed, clock, steady } = needs
  const sourceOf = openSources(needs)
  const throttled = openThrottle(steady)
  const underWay = new Map<string, Promise<Buffer>>()
  const busy = new Map<string, number>()
  /** Map servers that did not answer, and the end of their pause. */
  const paused = new Map<string, number>()

  const countOf = (key: string) => busy.get(key) ?? 0
  const enter = (...keys: readonly string[]) => {
    for (const key of keys) busy.set(key, countOf(key) + 1)
  }
  const leave = (...keys: readonly string[]) => {
    for (const key of keys)
      if (countOf(key) > 1) busy.set(key, countOf(key) - 1)
      else busy.delete(key)
  }
  const load = async (source: Source, spot: Spot, { name, caller }: { name: string; caller: number }): Promise<Buffer> => {
    const { Mark, company } = source
    if ((paused.get(Mark) ?? 0) > steady()) throw new Problem('unreachable')
    const own = `${Mark} ${caller}`
    if (countOf(Mark) >= mostUnderWay || (caller !== company && countOf(own) >= mostOfCompany)) throw new Fault('tooMany')
    enter(Mark, own)
    try {
      const body = await fetchTile(allowed, source, spot)
      paused.delete(Mark)
      await cache.put(company, name, body)
      return body
    } catch (error) {
      if (error instanceof Problem && error.reason === 'unreachable') {
        if (paused.size > 10_000) paused.clear()
        paused.set(Mark, steady() + pauseMs)
      }
      throw error
    } finally {
      leave(Mark, own)
    }
  }
  const loadOnce = (source: Source, spot: Spot, of: { name: string; caller: number }) => {
    const id = `${source.company}/${of.name}`
    const running = underWay.get(id) ?? load(source, spot, of).finally(() => underWay.delete(id))
    underWay.set(id, running)
    return running
  }

  return {
    /** Null if the company's map has no tiles. */
    async source({ EnterpriseId }: Pick<Actor, 'EnterpriseId'>): Promise<TileSource | null> {
      const found = await sourceOf(EnterpriseId)
      return found ? { System: found.System, MaxZoom: found.MaxZoom, Attribution: found.Attribution, Mark: found.Mark } : null
    },
    /** Returns a stale tile immediately and refetches it for the next request. @throws Fault */
    async tile({ EnterpriseId, UserId }: Asking, spot: Spot): Promise<Buffer> {
      throttled(UserId)
      const source = await sourceOf(EnterpriseId)
      const edge = 2 ** spot.Z
      if (!source || spot.Z > source.maxZoom || spot.X >= edge || spot.Y >= edge) throw new Fault('notFound')
      const name = hash([source.Mark, spot.Z, spot.X, spot.Y].join('/'))
      const stored = await cache.get(source.company, name)
      if (stored && clock() - stored.time < freshMs) return stored.body
      const loaded = loadOnce(source, spot, { name, caller: EnterpriseId })
      if (stored) {
        loaded.catch(() => undefined)
        return stored.body
      }
      return loaded.catch((error) => Promise.reject(error instanceof Problem ? new Fault('notFound') : error))
    },
    /** Fetches the tile of the whole world, bypassing the cache. */
    async test({ EnterpriseId, UserId }: Actor): Promise<{ Problem: TileProblem | null }> {
      throttled(UserId)
      const source = await sourceOf(EnterpriseId)
      if (!source) return { Problem: 'off' }
      try {
        await fetchTile(allowed, source, { Z: 0, X: 0, Y: 0 })
        paused.delete(source.Mark)
        return { Problem: null }
      } catch (error) {
        if (error instanceof Problem) return { Problem: error.reason }
        throw error
      }
    },
  }
}
