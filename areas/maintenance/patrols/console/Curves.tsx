import { useCall } from '../../../../console/kernel/api.ts'
import { numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { type Item, isNumeric } from '../../job-sheets/contract.ts'
import { patrolCalls } from '../contract.ts'

const [width, height, margin] = [360, 72, 8]

/** A number of the checklist over the last rounds, with its limits. */
const Curve = ({ order, item: { ItemName, Min, Max, Unit = '' }, n }: { order: number; item: Item; n: number }) => {
  const t = useWords()
  const { data } = useCall(patrolCalls.curve, { query: { Id: order, Item: n }, of: ['mtnCheckOrder'] })
  if (!data || data.Items.length < 2) return null
  const values = data.Items.map(({ Value }) => Value)
  const limits = [Min, Max].filter((limit) => limit !== undefined)
  const [low, high] = [Math.min(...values, ...limits), Math.max(...values, ...limits)]
  const y = (value: number) => height - margin - ((value - low) / (high - low || 1)) * (height - 2 * margin)
  const x = (i: number) => margin + (i / (values.length - 1)) * (width - 2 * margin)
  const text = (value: number) => `${numberText(value, 0, language(), 3)}${Unit && ` ${Unit}`}`
  const isOut = (value: number) => value < (Min ?? Number.NEGATIVE_INFINITY) || value > (Max ?? Number.POSITIVE_INFINITY)
  return (
    <figure className="patrol-curve">
      <figcaption>
        <strong>{ItemName}</strong> {text(values.at(-1)!)}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${ItemName}: ${t('patrol.curve')}, ${values.map(text).join(', ')}`}>
        {limits.map((limit) => (
          <line key={limit} className="patrol-limit" x1={margin} x2={width - margin} y1={y(limit)} y2={y(limit)} />
        ))}
        <polyline className="patrol-way" points={values.map((value, i) => `${x(i)},${y(value)}`).join(' ')} />
        {data.Items.map(({ Id, Time, Value }, i) => (
          <circle key={Id} className={isOut(Value) ? 'is-missed' : 'is-read'} cx={x(i)} cy={y(Value)} r={3}>
            <title>{`${Time}: ${text(Value)}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  )
}

/** Curves of a round's checklist numbers. */
export const Curves = ({ row }: { row: { Id: number; Items?: unknown } }) => {
  const items = (row.Items ?? []) as Item[]
  return (
    <div className="patrol-curves">
      {items.map((item, n) => (isNumeric(item) ? <Curve key={`${n} ${item.ItemName}`} order={row.Id} {...{ item, n }} /> : null))}
    </div>
  )
}
export default Curves
