// Computes the look of picture items from point values.

import { compile, type Evaluate, type Reading } from '../../../contract/expression/compile.ts'
import { keyOf, parse, referencesOf } from '../../../contract/expression/parse.ts'
import { ageText, none, numberText } from '../../../contract/formats.ts'
import type { Language } from '../../../contract/languages.ts'
import {
  type AlarmMark,
  type Look,
  type AlarmRow as PaintedAlarm,
  type TableRow,
  type Trust,
  worst,
} from '../../../contract/picture/look.ts'
import type { Scene } from '../../../contract/picture/scene.ts'
import { expressionsOf, idOf, nameOf } from '../../../contract/picture/sceneReferences.ts'
import { valueTextIn } from '../../../contract/point-value.ts'
import { type ParaInfo, readingWord } from '../../../contract/telemetry.ts'
import { type Compiled, clockText, type Driven, isTimed, mapped, type Newest, type Source } from './compiled.ts'
import type { AlarmRow, Opened, Standing } from './contract.ts'
import { axisText, bandIn, momentText, placesIn, scaleOf, Trails } from './trails.ts'

/** Reader: words, language and time zone. */
export type Reader = { t: (key: string) => string; language: Language; zone: string }

const nothing: Reading = { value: null, quality: 4, age: null, alarm: 0 }
const trusts: Partial<Record<string, Trust>> = {
  good: 'good',
  low: 'good',
  high: 'good',
  uncertain: 'uncertain',
  stale: 'old',
  none: 'none',
}

export class Looks {
  readonly compiled: readonly Compiled[]
  /** Ids of all points that are read. */
  readonly ids: readonly number[]
  readonly #sources = new Map<string, Source>()
  #alarms: ReadonlyMap<number, Standing> = new Map()
  readonly #newest: (id: number) => Newest | undefined
  readonly #reader: Reader
  readonly trails = new Trails()
  readonly #points: ReadonlyMap<number, ParaInfo>
  #rows: readonly AlarmRow[] | undefined
  #now = 0

  constructor(
    opened: Pick<Opened, 'Points' | 'Named' | 'Alarms'>,
    scene: Scene,
    newest: (id: number) => Newest | undefined,
    reader: Reader,
  ) {
    this.#newest = newest
    this.#reader = reader
    const points = new Map(opened.Points.map((point) => [point.ParaId, point]))
    this.#points = points
    const constants = new Map(scene.parameters?.map(({ name, value }) => [name, value]))
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
      const own = 'of' in item && item.of !== undefined ? parse(item.of).tree : undefined
      const evaluated = (text: string) => {
        const { tree } = parse(text)
        return tree && compile(tree)
      }
      return {
        ...{ item, keys, ids: keys.flatMap((key) => this.#sources.get(key)!.id ?? []) },
        driven: (item.bind ?? []).map((binding) => ({ binding, evaluate: evaluated(binding.of) })),
        value: own && compile(own),
        single: own?.kind === 'reference' ? this.#sources.get(keyOf(own.of)) : undefined,
        target: 'target' in item && item.target !== undefined ? evaluated(item.target) : undefined,
        reads: ('reads' in item ? item.reads : []).map((text) => {
          const { tree } = parse(text)
          const source = tree?.kind === 'reference' ? this.#sources.get(keyOf(tree.of)) : undefined
          return { text, evaluate: tree && compile(tree), source }
        }),
        isTimed: isTimed(item),
      }
    })
    this.ids = [...new Set(this.compiled.flatMap(({ ids }) => ids))]
  }

  setAlarms(alarms: readonly Standing[]) {
    this.#alarms = new Map(alarms.map((alarm) => [alarm.ParaId, alarm]))
  }
  /** Active alarms as rows; undefined while unknown. */
  setRows(rows: readonly AlarmRow[] | undefined) {
    this.#rows = rows
  }
  #trustOf({ point, id, constant }: Source): Trust {
    if (constant !== undefined) return 'good'
    if (!point) return 'withheld'
    return trusts[readingWord(point, this.#newest(id!), this.#now)] ?? 'bad'
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
  /** Tooltip: name, age and state of the points that an item reads. */
  title({ keys }: Compiled, now: number): string {
    this.#now = now
    const lines = keys.slice(0, 5).map((key) => {
      const { point, id } = this.#sources.get(key)!
      if (!point) return this.#reader.t('pictures.withheld')
      const latest = this.#newest(id!)
      const word = readingWord(point, latest, this.#now)
      const value = latest ? `${this.#textOf(latest.Value, point)} ${point.ParaUnitName}`.trim() : none
      const age = latest ? ageText(this.#now - latest.Time, this.#reader.language) : ''
      return [`${point.DeviceName} · ${point.ParaName}`, value, word === 'good' ? '' : this.#reader.t(`reading.${word}`), age]
        .filter(Boolean)
        .join(', ')
    })
    return lines.join('\n')
  }
  #textOf(value: number | null | undefined, point: ParaInfo) {
    const { t, language } = this.#reader
    return valueTextIn(value, point, t, () => language)
  }
  /** The displayed text of a point or of a calculated value. */
  #valueOf(source: Source | undefined, evaluate: Evaluate | undefined, digits?: number) {
    const point = source?.point
    if (!point || source.id === undefined)
      return { text: numberText(evaluate?.(this.#read), digits ?? 2, this.#reader.language), unit: point?.ParaUnitName ?? '' }
    const latest = this.#newest(source.id)
    const of = digits === undefined ? point : { ...point, DecimalDigits: digits }
    return { text: this.#textOf(latest?.Value, of), unit: point.ParaUnitName }
  }
  #shownOf({ item, value, single }: Compiled) {
    if (item.kind === 'clock') return { text: clockText(this.#now, this.#reader.zone, item.show), unit: '' }
    if (item.kind === 'input' && !value) return undefined
    if (item.kind !== 'value' && item.kind !== 'indicator' && item.kind !== 'input') return undefined
    const shown = this.#valueOf(single, value, item.kind === 'value' ? item.digits : undefined)
    return item.kind === 'value' && item.unit !== undefined ? { ...shown, unit: item.unit } : shown
  }
  #shareOf({ item, value, single, target }: Compiled): Pick<Look, 'share' | 'limits'> {
    if (item.kind !== 'indicator' && item.kind !== 'input') return {}
    const point = single?.point
    const isSwitch = item.kind === 'input' && item.look === 'switch'
    const [low, high] = isSwitch ? [0, 1] : [item.low ?? point?.AxisMin ?? 0, item.high ?? point?.AxisMax ?? 100]
    const share = (of: number) => (high === low ? 0 : (of - low) / (high - low))
    const now = value?.(this.#read) ?? null
    if (item.kind === 'indicator' && item.look === 'deviation') {
      const goal = target?.(this.#read) ?? null
      return { share: now === null || goal === null ? null : 0.5 + (share(now) - share(goal)), limits: [] }
    }
    const limits = [point?.AlarmLow, point?.AlarmHigh].filter((limit) => limit !== null && limit !== undefined)
    return { share: now === null ? null : share(now), limits: limits.map(share) }
  }

  /** Rows of a table, each with its own quality. */
  #rowsOf({ item, reads }: Compiled): Pick<Look, 'rows'> {
    if (item.kind !== 'table') return {}
    const rows = reads.map(({ text, evaluate, source }): TableRow => {
      const point = source?.point
      const [low, high] = [point?.AxisMin ?? 0, point?.AxisMax ?? 100]
      const share = (of: number) => (high === low ? 0 : (of - low) / (high - low))
      const now = evaluate?.(this.#read) ?? null
      const limits = [point?.AlarmLow, point?.AlarmHigh].filter((limit) => limit !== null && limit !== undefined)
      return {
        ...{ name: point?.ParaName ?? (source && source.constant === undefined ? this.#reader.t('pictures.withheld') : text) },
        ...this.#valueOf(source, evaluate),
        ...{ trust: source ? this.#trustOf(source) : now === null ? 'none' : 'good', share: now === null ? null : share(now) },
        ...{ limits: limits.map(share), alarm: source?.id === undefined ? undefined : this.#alarmOf([source.id]) },
      }
    })
    return { rows }
  }

  #curvesOf({ item, reads, single }: Compiled): Pick<Look, 'curves' | 'axis' | 'trace' | 'note'> {
    const isSpark = item.kind === 'indicator' && item.look === 'spark'
    if (item.kind !== 'trend' && !isSpark) return {}
    const span = item.span ?? '15m'
    const sources = isSpark ? [single] : reads.map(({ source }) => source)
    const range = this.trails.rangeOf(span, this.#now)
    const lines = sources.map((source) => {
      if (!source?.point) return []
      const latest = this.#newest(source.point.ParaId)
      if (latest) this.trails.take(source.point.ParaId, latest.Time, latest.Value)
      return this.trails.readings(source.point, span, this.#now)
    })
    const units = new Set(sources.map((source) => source?.point?.ParaUnitName))
    // Lines with the same unit share a scale; each of the others fills the height.
    const common = units.size === 1 || item.low !== undefined || item.high !== undefined
    const scale = scaleOf(lines, item.low, item.high)
    const scales = lines.map((line) => (common ? scale : scaleOf([line])))
    const places = lines.map((line, i) => placesIn(line, range, scales[i]!))
    if (isSpark) return { trace: places[0]! }
    const [low, high] = common ? [scale.low, scale.high].map((value) => axisText(value, scale, this.#reader.language)) : ['', '']
    return {
      curves: sources.map((source, i) => ({
        name: source?.point?.ParaName ?? this.#reader.t('pictures.withheld'),
        ...this.#valueOf(source, reads[i]!.evaluate),
        places: places[i]!,
        band: bandIn(lines[i]!, range, scales[i]!),
      })),
      axis: {
        low: low!,
        high: high!,
        from: momentText(range.start, range, this.#reader.zone),
        to: momentText(range.end, range, this.#reader.zone),
      },
      note: this.#reader.t('pictures.noPast'),
    }
  }

  #alarmsOf({ item }: Compiled): Pick<Look, 'alarms' | 'note'> {
    if (item.kind !== 'alarms') return {}
    const device = item.device === undefined ? undefined : Number(item.device)
    const said = this.#rows?.filter(({ ParaId, DeviceId }) =>
      device === undefined ? ParaId !== null && this.#points.has(ParaId) : DeviceId === device,
    )
    // Without permission for alarms, the points with alarms are still marked.
    const marked = [...this.#alarms.values()].flatMap(({ ParaId, Level, Unacknowledged, Shelved }) => {
      const point = this.#points.get(ParaId)
      if (!point || (device !== undefined && point.DeviceId !== device)) return []
      return [{ RuleName: point.ParaName, DeviceName: point.DeviceName, Start: undefined, Level, Unacknowledged, Shelved }]
    })
    const alarms = (said ?? marked).map(
      (row): PaintedAlarm => ({
        name: row.RuleName ?? '',
        device: row.DeviceName ?? '',
        age: row.Start === undefined ? '' : ageText(Math.max(0, this.#now - row.Start), this.#reader.language),
        mark: { level: row.Level as AlarmMark['level'], unacknowledged: row.Unacknowledged, shelved: row.Shelved },
      }),
    )
    return { alarms, note: this.#reader.t('alarm.noActive') }
  }

  look(compiled: Compiled, now: number): Look {
    const { item, keys, ids, driven, isTimed } = compiled
    if (item.kind === 'view') return { note: this.#reader.t('pictures.notInside') }
    if (!keys.length && !isTimed) return item.kind === 'input' || item.bind ? { driven: this.#drivenBy(driven) } : {}
    this.#now = now
    const shown = this.#shownOf(compiled)
    return {
      driven: this.#drivenBy(driven),
      trust: keys.reduce<Trust>((trust, key) => worst(trust, this.#trustOf(this.#sources.get(key)!)), 'good'),
      ...(shown ? { shown } : {}),
      ...this.#shareOf(compiled),
      ...this.#rowsOf(compiled),
      ...this.#curvesOf(compiled),
      ...this.#alarmsOf(compiled),
      alarm: this.#alarmOf(ids),
    }
  }
  #drivenBy(driven: readonly Driven[]) {
    const outcome = driven.map(({ binding, evaluate }) => {
      const value = evaluate?.(this.#read) ?? null
      return [binding.to, value === null ? null : mapped(binding, value)] as const
    })
    return Object.fromEntries(outcome)
  }
}
