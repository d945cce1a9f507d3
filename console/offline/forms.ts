// Format of the queue, with a version in each entry. A phone may open a new console with steps that an old one queued: entries of all
// released versions are migrated here, one version at a time. Golden files of each version are next to the test.

/** Current version of an entry. The server takes steps of this version and the one before it (`queueVersions` of its contract). */
export const queueVersion = 2

/** A step taken on this phone. */
export type Entry = {
  v: typeof queueVersion
  /** Position in the queue: the sending order, assigned by the store. */
  seq: number
  /** The server treats steps with the same key as one. */
  key: string
  /** `tenant/person`: only this user sees and sends it. */
  owner: string
  /** The call and its body. Photos in it are `local:<key>` until they are uploaded. */
  path: string
  body: Record<string, unknown>
  /** Epoch ms of this phone's clock. */
  takenAt: number
  /** Display text: the order's title, and the word key of the step. */
  title: string
  step: string
  state: 'waiting' | 'sent' | 'refused'
  /** Reason for the refusal. */
  reason: string | null
  /** 0: arrived too late and was stored as a comment. */
  applied: 0 | 1 | null
  /** Time of the server's answer, epoch ms. Since version 2. */
  answeredAt: number | null
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const states = ['waiting', 'sent', 'refused']

type Raw = Record<string, unknown>
/** By version: turns an entry into one of the next version. Never changed once a newer version is released. */
const migrations: Readonly<Record<number, (raw: Raw) => Raw>> = {
  1: (raw) => ({ ...raw, v: 2, answeredAt: raw.state === 'sent' || raw.state === 'refused' ? raw.takenAt : null }),
}
/** Migrates an entry to the current version. Undefined for entries of a newer version, which are left alone. */
const migrated = (raw: Raw): Raw | undefined => {
  if (raw.v === queueVersion) return raw
  const migrate = typeof raw.v === 'number' ? migrations[raw.v] : undefined
  return migrate && migrated(migrate(raw))
}

/** Reads a stored entry of any released version. */
export const readEntry = (stored: unknown): Entry | undefined => {
  const raw = isObject(stored) ? migrated(stored) : undefined
  if (!raw) return
  const { seq, key, owner, path, body, takenAt, title, step, state, reason, applied, answeredAt } = raw
  if (typeof seq !== 'number' || typeof key !== 'string' || typeof owner !== 'string' || typeof path !== 'string' || !isObject(body)) return
  return {
    ...{
      v: queueVersion,
      seq,
      key,
      owner,
      path,
      body,
      takenAt: Number(takenAt) || 0,
      title: String(title ?? ''),
      step: String(step ?? ''),
    },
    state: states.includes(String(state)) ? (state as Entry['state']) : 'waiting',
    reason: typeof reason === 'string' ? reason : null,
    applied: applied === 0 || applied === 1 ? applied : null,
    answeredAt: typeof answeredAt === 'number' ? answeredAt : null,
  }
}

const local = 'local:'
export const localPath = (key: string) => `${local}${key}`
export const isLocal = (path: string) => path.startsWith(local)

/** Keys of the photos in a body. */
export const photosOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(photosOf)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, of]) =>
    name === 'FilePath' && typeof of === 'string' && isLocal(of) ? [of.slice(local.length)] : photosOf(of),
  )
}
/** The body with the server paths of its photos. */
export const withPaths = <T>(value: T, paths: ReadonlyMap<string, string>): T => {
  if (Array.isArray(value)) return value.map((one) => withPaths(one, paths)) as T
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, of]) => [
      name,
      name === 'FilePath' && typeof of === 'string' && isLocal(of) ? (paths.get(of.slice(local.length)) ?? of) : withPaths(of, paths),
    ]),
  ) as T
}
