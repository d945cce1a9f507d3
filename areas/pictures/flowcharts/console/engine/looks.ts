// What the values of points make of the items of a picture.
import { readingOf } from '../../../../../console/live/reading.ts'
import { valueText } from '../../../../../console/live/valueText.ts'
import { ageText, none, numberText } from '../../../../../console/words/formats.ts'
import { language, type Words } from '../../../../../console/words/words.ts'
import { compile, type Evaluate, type Reading } from '../../../../../contract/expression/compile.ts'
import { keyOf, parse, referencesOf } from '../../../../../contract/expression/parse.ts'
import { type AlarmMark, type Look, type Trust, worst } from '../../../../../contract/picture/look.ts'
import type { Binding, Item, Scene } from '../../../../../contract/picture/scene.ts'
import { expressionsOf, idOf, nameOf } from '../../../../../contract/picture/sceneReferences.ts'
import type { ParaInfo } from '../../../../../contract/telemetry.ts'
import type { Opened, Standing } from '../../contract.ts'

export type Newest = { Time: number; Value: number | null; Quality: number }
/** What a reference is and says: of a point, or of a parameter that is a number. */
type Source = { point?: ParaInfo; id?: number; constant?: number }
type Driven = { binding: Binding; evaluate: Evaluate | undefined }
/** An item, ready to be looked at. */
export type Compiled = {
  item: Item
  /** Keys of what it reads. */
  keys: readonly string[]
  ids: readonly number[]
  driven: readonly Driven[]
  value: Evaluate | undefined
  /** The one point that a value shows as it is. */
  single: Source | undefined
}

const nothing: Reading = { value: null, quality: 4, age: null, alarm: 0 }
const trusts: Partial<Record<string, Trust>> = {
  good: 'good',
  low: 'good',
  high: 'good',
  uncertain: 'uncertain',
  stale: 'old',
  none: 'none',
}

const mapped = ({ ranges, states, from, onto }: Binding, value: number): number | string => {
  const found = states?.find(({ at }) => at === value) ?? ranges?.find(({ below }) => below === null || value < below)
  if (found) return found.is
  if (from && onto && from[0] !== from[1]) {
    const share = Math.min(1, Math.max(0, (value - from[0]) / (from[1] - from[0])))
    return onto[0] + share * (onto[1] - onto[0])
  }
  return value
}

export class Looks {
  readonly compiled: readonly Compiled[]
  /** Ids of all points that are read. */
  readonly ids: readonly number[]
  readonly #sources = new Map<string, Source>()
  #alarms: ReadonlyMap<number, Standing> = new Map()
  readonly #newest: (id: number) => Newest | undefined
  readonly #t: Words
  #now = 0

  constructor(
    opened: Pick<Opened, 'Points' | 'Named' | 'Alarms'>,
    scene: Scene,
    newest: (id: number) => Newest | undefined,
    t: Words,
    parameters: Record<string, unknown> = {},
  ) {
    this.#newest = newest
    this.#t = t
    const points = new Map(opened.Points.map((point) => [point.ParaId, point]))
    const constants = new Map(scene.parameters?.map(({ name, value }) => [name, parameters[name] ?? value]))
    const source = (key: string): Source => {
      const id = idOf(key) ?? opened.Named[key]
      const point = id === undefined ? undefined : points.get(id)
      if (point) return { point, id: point.ParaId }
      const constant = constants.get(nameOf(key)?.parameter ?? '')
      return typeof constant === 'number' && nameOf(key)?.point === undefined ? { constant } : {}
    }
    this.setAlarms(opened.Alarms)
    this.compiled = scene.items.map((item) => {
      const trees = expressionsOf(item).flatMap(({ text }) => parse(text).tree ?? [])
      const keys = [...new Set(trees.flatMap(referencesOf).map(keyOf))]
      for (const key of keys) if (!this.#sources.has(key)) this.#sources.set(key, source(key))
      const own = 'of' in item ? parse(item.of).tree : undefined
      const evaluated = (text: string) => {
        const { tree } = parse(text)
        return tree && compile(tree)
      }
      return {
        ...{ item, keys, ids: keys.flatMap((key) => this.#sources.get(key)!.id ?? []) },
        driven: (item.bind ?? []).map((binding) => ({ binding, evaluate: evaluated(binding.of) })),
        value: own && compile(own),
        single: own?.kind === 'reference' ? this.#sources.get(keyOf(own.of)) : undefined,
      }
    })
    this.ids = [...new Set(this.compiled.flatMap(({ ids }) => ids))]
  }

  setAlarms(alarms: readonly Standing[]) {
    this.#alarms = new Map(alarms.map((alarm) => [alarm.ParaId, alarm]))
  }
  #trustOf({ point, id, constant }: Source): Trust {
    if (constant !== undefined) return 'good'
    if (!point) return 'withheld'
    const { word } = readingOf(point, this.#newest(id!), this.#now)
    return trusts[word] ?? 'bad'
  }
  readonly #read = (key: string): Reading => {
    const source = this.#sources.get(key)
    if (!source) return nothing
    if (source.constant !== undefined) return { value: source.constant, quality: 0, age: 0, alarm: 0 }
    const latest = source.id === undefined ? undefined : this.#newest(source.id)
    if (!latest) return nothing
    const trust = this.#trustOf(source)
    return {
      value: trust === 'good' || trust === 'uncertain' ? latest.Value : null,
      quality: latest.Quality,
      age: Math.max(0, (this.#now - latest.Time) / 1000),
      alarm: this.#alarms.get(source.id!)?.Level ?? 0,
    }
  }
  #alarmOf(ids: readonly number[]): AlarmMark | undefined {
    const found = ids.flatMap((id) => this.#alarms.get(id) ?? [])
    const audible = found.filter(({ Shelved }) => !Shelved)
    const shown = audible.length ? audible : found
    if (!shown.length) return undefined
    return {
      level: Math.max(...shown.map(({ Level }) => Level)) as AlarmMark['level'],
      unacknowledged: shown.some(({ Unacknowledged }) => Unacknowledged),
      shelved: !audible.length,
    }
  }
  /** Name, age and state of what an item reads, for hovering. */
  title({ keys }: Compiled, now: number): string {
    this.#now = now
    const lines = keys.slice(0, 5).map((key) => {
      const { point, id } = this.#sources.get(key)!
      if (!point) return this.#t('pictures.withheld')
      const latest = this.#newest(id!)
      const { word } = readingOf(point, latest, this.#now)
      const value = latest ? `${valueText(latest.Value, point, this.#t)} ${point.ParaUnitName}`.trim() : none
      const age = latest ? ageText(this.#now - latest.Time, language()) : ''
      return [`${point.DeviceName} · ${point.ParaName}`, value, word === 'good' ? '' : this.#t(`reading.${word}`), age]
        .filter(Boolean)
        .join(', ')
    })
    return lines.join('\n')
  }
  #shownOf({ item, value, single }: Compiled) {
    if (item.kind !== 'value' && item.kind !== 'indicator') return undefined
    const point = single?.point
    const digits = item.kind === 'value' ? item.digits : undefined
    const unit = (item.kind === 'value' ? item.unit : undefined) ?? point?.ParaUnitName ?? ''
    if (point && single?.id !== undefined) {
      const latest = this.#newest(single.id)
      return { text: valueText(latest?.Value, digits === undefined ? point : { ...point, DecimalDigits: digits }, this.#t), unit }
    }
    return { text: numberText(value?.(this.#read), digits ?? 2, language()), unit }
  }
  #shareOf({ item, value, single }: Compiled): Pick<Look, 'share' | 'limits'> {
    if (item.kind !== 'indicator') return {}
    const point = single?.point
    const [low, high] = [item.low ?? point?.AxisMin ?? 0, item.high ?? point?.AxisMax ?? 100]
    const share = (of: number) => (high === low ? 0 : (of - low) / (high - low))
    const now = value?.(this.#read)
    const limits = [point?.AlarmLow, point?.AlarmHigh].filter((limit) => limit !== null && limit !== undefined)
    return { share: now === null || now === undefined ? null : share(now), limits: limits.map(share) }
  }

  look(compiled: Compiled, now: number): Look {
    const { keys, ids, driven } = compiled
    if (!keys.length) return {}
    this.#now = now
    const outcome = driven.map(({ binding, evaluate }) => {
      const value = evaluate?.(this.#read) ?? null
      return [binding.to, value === null ? null : mapped(binding, value)] as const
    })
    const shown = this.#shownOf(compiled)
    return {
      driven: Object.fromEntries(outcome),
      trust: keys.reduce<Trust>((trust, key) => worst(trust, this.#trustOf(this.#sources.get(key)!)), 'good'),
      ...(shown ? { shown } : {}),
      ...this.#shareOf(compiled),
      alarm: this.#alarmOf(ids),
    }
  }
}
