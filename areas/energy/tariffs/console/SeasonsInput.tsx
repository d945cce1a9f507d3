import { CopyOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { language, useWords } from '../../../../console/words/words.ts'
import { faultsOf, mostPrice, type Season, timeOfUse } from '../prices.ts'
import { levels } from '../quarterHours.ts'
import { DayStrip } from './DayStrip.tsx'
import { type InputProps, listOf, usePriceUnit } from './inputs.ts'
import { levelsIn, paint, periodsOf, presets, priceOf, type Quarter, quartersOfPeriods, withPrice } from './painting.ts'
import { YearCalendar } from './YearCalendar.tsx'
import './tariffs.css'

const monthOptions = () =>
  Array.from({ length: 12 }, (_, month) => ({
    value: month + 1,
    label: new Intl.DateTimeFormat(language(), { month: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2026, month, 1))),
  }))

/** The levels as buttons that show their colour, pattern and letter. */
const Brushes = ({ brush, choose }: { brush: number; choose: (level: number) => void }) => {
  const t = useWords()
  return (
    <div className="tariff-brushes" role="radiogroup" aria-label={t('tariff.brush')}>
      {levels.map((level) => (
        <Button
          key={level}
          role="radio"
          aria-checked={brush === level}
          type={brush === level ? 'primary' : 'default'}
          ghost={brush === level}
          onClick={() => choose(level)}
        >
          <span className={`tariff-swatch tariff-level-${level}`}>
            <b>{t(`tariff.letter.${level}`)}</b>
          </span>
          {t(`tariff.level.${level}`)}
        </Button>
      ))}
    </div>
  )
}

type SeasonProps = {
  season: Season
  at: number
  change: (season: Season) => void
  copy: () => void
  remove: () => void
  prices: Map<number, number>
}
const SeasonInput = ({ season, at, change, copy, remove, prices }: SeasonProps) => {
  const t = useWords()
  const [brush, setBrush] = useState(2)
  const { unit, currency } = usePriceUnit()
  const name = season.Name || t('tariff.season', { number: at + 1 })
  const quarters = quartersOfPeriods(season.Periods)
  const set = (next: Quarter[]) => change({ ...season, Periods: periodsOf(next) })
  return (
    <fieldset className="tariff-season" aria-label={name}>
      <div className="tariff-season-head">
        <Input
          value={season.Name ?? ''}
          maxLength={40}
          placeholder={name}
          aria-label={t('tariff.seasonName')}
          onChange={({ target }) => change({ ...season, Name: target.value })}
        />
        <Select
          mode="multiple"
          value={season.Months}
          aria-label={t('tariff.months')}
          placeholder={t('tariff.months')}
          options={monthOptions()}
          onChange={(Months) => change({ ...season, Months: Months.toSorted((a, b) => a - b) })}
        />
        <Select
          value={season.Days}
          aria-label={t('tariff.days')}
          options={([0, 1, 2] as const).map((value) => ({ value, label: t(`tariff.days.${value}`) }))}
          onChange={(Days) => change({ ...season, Days })}
        />
        <span className="tariff-season-acts">
          <Button type="text" icon={<CopyOutlined />} aria-label={t('tariff.copySeason')} title={t('tariff.copySeason')} onClick={copy} />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('tariff.removeSeason')}
            title={t('tariff.removeSeason')}
            onClick={remove}
          />
        </span>
      </div>
      <Brushes brush={brush} choose={setBrush} />
      <DayStrip
        quarters={quarters}
        brush={brush}
        label={t('tariff.strip', { season: name })}
        paint={(from, to, level) => {
          setBrush(level)
          set(paint(quarters, from, to, level, priceOf(quarters, level) ?? prices.get(level) ?? 0))
        }}
      />
      <div className="tariff-prices">
        {levelsIn(quarters).map((level) => (
          <span key={level}>
            <span className={`tariff-swatch tariff-level-${level}`}>
              <b>{t(`tariff.letter.${level}`)}</b>
            </span>
            <InputNumber
              value={priceOf(quarters, level) ?? null}
              min={0}
              max={mostPrice}
              step={0.01}
              aria-label={t('tariff.priceOf', { level: t(`tariff.level.${level}`), currency, unit })}
              suffix={<span className="faint">{`${currency}/${unit}`}</span>}
              onChange={(price) => set(withPrice(quarters, level, Math.round((price ?? 0) * 1e6) / 1e6))}
            />
          </span>
        ))}
      </div>
    </fieldset>
  )
}

/** Seasons with their days, painted hour by hour, and the year that they make. */
export const SeasonsInput = ({ id, value, onChange }: InputProps) => {
  const t = useWords()
  const seasons = listOf<Season>(value)
  const faults = seasons.length ? faultsOf({ TariffType: timeOfUse, Seasons: seasons }) : []
  const prices = new Map(seasons.flatMap(({ Periods }) => Periods.map(({ Level, Price }) => [Level, Price] as const)))
  const set = (at: number, season: Season) => onChange?.(seasons.map((old, i) => (i === at ? season : old)))
  const copy = (at: number) => onChange?.(seasons.toSpliced(at + 1, 0, { ...seasons[at]!, Name: '' }))
  const first: Season = { Months: [], Days: 0, Periods: [{ Start: '00:00', End: '24:00', Level: 3, Price: prices.get(3) ?? 0 }] }
  return (
    <div id={id} className="tariff-seasons">
      <div className="tariff-presets">
        <span className="soft">{t('tariff.preset')}</span>
        {Object.entries(presets).map(([name, of]) => (
          <Button key={name} size="small" onClick={() => onChange?.(of)}>
            {t(`tariff.preset.${name}`)}
          </Button>
        ))}
      </div>
      {seasons.length > 0 && <p className="faint">{t('tariff.paint')}</p>}
      {seasons.map((season, at) => (
        <SeasonInput
          key={at}
          {...{ season, at, prices }}
          change={(next) => set(at, next)}
          copy={() => copy(at)}
          remove={() => onChange?.(seasons.filter((_, i) => i !== at))}
        />
      ))}
      <Button type="dashed" icon={<PlusOutlined />} onClick={() => onChange?.([...seasons, first])}>
        {t('tariff.addSeason')}
      </Button>
      {faults.length > 0 && (
        <ul className="tariff-faults" aria-live="polite">
          {faults.slice(0, 6).map(({ field, rule, values }) => (
            <li key={`${field} ${rule} ${JSON.stringify(values)}`}>{t(rule.includes('.') ? rule : `fault.field.${rule}`, values)}</li>
          ))}
        </ul>
      )}
      {seasons.length > 0 && <YearCalendar seasons={seasons} />}
    </div>
  )
}
