import { Button, Input, InputNumber, Segmented, Select } from 'antd'
import { useEffect, useRef } from 'react'
import { FilesInput } from '../../../../console/files/FilesInput.tsx'
import { numberText, timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Item, isAsRead, isNumeric, isWithin, most, type Readings, type Result } from '../contract.ts'
import { readingWordOf } from './readingWord.ts'
import { Signature } from './Signature.tsx'
import './checklist.css'

export type Found = Partial<Omit<Result, 'Item'>>
type Reading = Readings['Items'][number]
const readOf = ({ ParaId, Value, Time, Quality }: Reading): Found =>
  Value === null || Quality > 1 ? {} : { Value, Read: { ParaId, Value, Time, Quality } }
const okOf = (item: Item, Value: number | null | undefined) => (Value == null || isWithin(item, Value) ? 1 : 0)

type ValueProps = { of: Item; id: string; found: Found; reading: Reading | undefined; set: (part: Found) => void }
/** Input for a number. The reading of a point is filled in; a different value requires a reason. */
const NumberValue = ({ of, id, found, reading, set }: ValueProps) => {
  const t = useWords()
  const ofPoint = of.ValueType === 6
  const live = reading && reading.Value !== null && reading.Quality <= 1 ? reading : undefined
  const { Read } = found
  const isOther = found.Value != null && !isAsRead(of, found)
  return (
    <>
      <span className="checklist-value">
        <InputNumber
          id={id}
          value={(found.Value as number | null) ?? null}
          {...(of.Unit && { suffix: of.Unit })}
          onChange={(Value) => set({ Value, IsOk: okOf(of, Value) })}
        />
        {ofPoint && live && (live.Time !== Read?.Time || isOther) && (
          <Button onClick={() => set({ ...readOf(live), Reason: '', IsOk: okOf(of, live.Value) })}>{t('checklist.readAgain')}</Button>
        )}
      </span>
      {ofPoint && Read && (
        <span className="soft">
          {t('checklist.live', { value: numberText(Read.Value), time: timeText(Read.Time), quality: t(readingWordOf(Read.Quality)) })}
        </span>
      )}
      {ofPoint && !Read && !live && <span className="soft">{t('checklist.noLive')}</span>}
      {ofPoint && isOther && (
        <Input
          aria-label={`${of.ItemName}: ${t('checklist.why')}`}
          placeholder={t('checklist.why')}
          maxLength={200}
          value={found.Reason ?? ''}
          onChange={({ target }) => set({ Reason: target.value })}
        />
      )}
    </>
  )
}

const Value = ({ of, id, found, reading, set }: ValueProps) => {
  if (isNumeric(of)) return <NumberValue {...{ of, id, found, reading, set }} />
  const { ValueType } = of
  if (ValueType === 3)
    return <Input id={id} maxLength={200} value={String(found.Value ?? '')} onChange={({ target }) => set({ Value: target.value })} />
  if (ValueType === 4)
    return (
      <Select
        id={id}
        value={(found.Value as string | null) ?? null}
        options={(of.Choices ?? []).map((value) => ({ value, label: value }))}
        onChange={(value: string) => set({ Value: value })}
      />
    )
  return ValueType === 7 ? <Signature id={id} name={of.ItemName} found={found} set={set} /> : null
}

/** Passed or failed; a failed item requires a description. */
const Judgement = ({ of: { ItemName, ValueType }, found, set }: Pick<ValueProps, 'of' | 'found' | 'set'>) => {
  const t = useWords()
  return (
    <>
      <Segmented
        block
        aria-label={`${ItemName}: ${t('checklist.isOk')}`}
        value={found.IsOk ?? -1}
        options={[
          { value: 1, label: t('checklist.ok') },
          { value: 0, label: t('checklist.notOk') },
        ]}
        onChange={(IsOk) => set({ IsOk: IsOk as 0 | 1, ...(ValueType === 1 ? { Value: IsOk as number } : {}) })}
      />
      {found.IsOk === 0 && (
        <Input.TextArea
          aria-label={`${ItemName}: ${t('checklist.what')}`}
          placeholder={t('checklist.what')}
          maxLength={500}
          value={found.Desc ?? ''}
          onChange={({ target }) => set({ Desc: target.value })}
        />
      )}
    </>
  )
}

type ItemProps = {
  of: Item
  id: string
  found: Found
  reading: Reading | undefined
  fault: string | undefined
  set: (part: Found) => void
}
const ItemInput = ({ of, id, found, reading, fault, set }: ItemProps) => {
  const t = useWords()
  const { ValueType, Min, Max } = of
  const limits = [Min !== undefined && `≥ ${Min}`, Max !== undefined && `≤ ${Max}`].filter(Boolean).join(', ')
  return (
    <li className="checklist-step">
      <label htmlFor={id}>
        <strong>{of.ItemName}</strong> {of.Required === 1 && <span className="soft">{t('checklist.required')}</span>}
      </label>
      {(of.Method || of.Standard || limits) && <p className="soft">{[of.Method, of.Standard, limits].filter(Boolean).join(' · ')}</p>}
      <Value {...{ of, id, found, reading, set }} />
      {ValueType !== 7 && <Judgement {...{ of, found, set }} />}
      {(ValueType === 5 || of.NeedPhoto === 1 || (found.IsOk === 0 && ValueType !== 7)) && (
        <FilesInput most={most.photos} photos value={found.Photos ?? null} onChange={(Photos) => set({ Photos: [...(Photos ?? [])] })} />
      )}
      {fault && <p className="state-alarm">{fault}</p>}
    </li>
  )
}

/** Initial values of the form: after a rejection, the previous results. */
export const foundOf = (items: readonly Item[], results: readonly Result[] = []): Found[] =>
  items.map((_, i) => {
    const { Item: _item, ...found } = results.find(({ Item }) => Item === i) ?? { Item: i }
    return found
  })
/** Converts the form values to results: only items that have one. */
export const resultsOf = (found: readonly Found[]): Result[] =>
  found.flatMap(({ Value = null, IsOk = 1, Reason, ...more }, Item) =>
    (Value === null || Value === '') && !more.Photos?.length
      ? []
      : [
          {
            Item,
            Value: typeof Value === 'string' ? Value.trim() : Value,
            IsOk,
            ...more,
            ...(Reason?.trim() && { Reason: Reason.trim() }),
          },
        ],
  )

type Props = {
  items: readonly Item[]
  found: readonly Found[]
  change: (next: Found[]) => void
  readings?: Readings | undefined
  /** Reasons for refused items, by the name of their field. */
  faults?: Readonly<Record<string, readonly string[]>>
}
/** A checklist to work through, on one scrolling page. */
export const ResultsInput = ({ items, found, change, readings, faults = {} }: Props) => {
  useEffect(() => {
    if (!readings) return
    const next = found.map((one, i) => {
      const reading = readings.Items.find(({ Item }) => Item === i)
      return reading && one.Value === undefined ? { ...one, ...readOf(reading), IsOk: okOf(items[i]!, reading.Value) as 0 | 1 } : one
    })
    if (next.some((one, i) => one !== found[i])) change(next)
  }, [readings, found, items, change])
  // Photos and signatures upload asynchronously: merge them into the current input.
  const latest = useRef(found)
  latest.current = found
  const set = (i: number, part: Found) => {
    latest.current = latest.current.toSpliced(i, 1, { ...latest.current[i], ...part })
    change([...latest.current])
  }
  return (
    <ol className="checklist-steps">
      {items.map((item, i) => (
        <ItemInput
          key={`${i} ${item.ItemName}`}
          of={item}
          id={`checklist-${i}`}
          found={found[i] ?? {}}
          reading={readings?.Items.find(({ Item }) => Item === i)}
          fault={faults[`Results.${i}`]?.[0]}
          set={(part) => set(i, part)}
        />
      ))}
    </ol>
  )
}
