// Maintenance KPIs over a range of days.
import { Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { Id } from '../../../contract/resource.ts'
import { mtnMaintenanceOrder } from './contract.ts'

const Whole = Type.Integer()
const Amount = Type.Number()
const Maybe = Type.Union([Amount, Type.Null()])
/** A day, optionally with a time. */
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}', maxLength: 19 })
const OfMachine = { Failures: Whole, StopHours: Amount, RunningHours: Amount, Mtbf: Maybe, Mttr: Maybe, Availability: Maybe }

/** Maximum range, d. */
export const mostDays = 400
export const figureCalls = {
  /**
   * A failure is a repair order that stopped its machine. Machines are those with a failure or another repair in the range. Overlapping
   * stops count once; an open stop counts until now. With a running point, downtime is the time it was off until the order was finished.
   * Mtbf is null without a failure in `RunningHours`. Costs are null without the cost button.
   */
  figures: call({
    method: 'GET',
    path: `${mtnMaintenanceOrder.path}/Figures`,
    permission: 'm10617',
    query: Type.Object({ DateFrom: Day, DateTo: Day, ProjectId: Type.Optional(Id) }),
    answer: Type.Object({
      ...OfMachine,
      /** Orders finished in the range; shares fixed the first time and on time. */
      Finished: Whole,
      FirstTime: Maybe,
      OnTime: Maybe,
      /** Orders from plans, and repairs. */
      Planned: Whole,
      Reactive: Whole,
      /** Open repairs, and their estimated hours by the mean labor of finished ones. */
      OpenCount: Whole,
      BacklogHours: Maybe,
      Cost: Maybe,
      /** Parts and labor of upkeep and patrols finished in the range. */
      PlannedCost: Maybe,
      Machines: Type.Array(
        Type.Object({
          DeviceId: Type.Union([Id, Type.Null()]),
          Name: Type.String(),
          ...OfMachine,
          /** Source of running hours: 0 calendar, 1 hour counter, 2 running point. */
          ByCounter: Whole,
          Cost: Maybe,
        }),
      ),
      Causes: Type.Array(Type.Object({ CauseType: Type.Union([Whole, Type.Null()]), Count: Whole, Cost: Maybe })),
      Months: Type.Array(Type.Object({ Month: Type.String(), Planned: Whole, Reactive: Whole })),
    }),
  }),
}

/** Moments are epoch ms. */
export type Stop = { start: number; end: number }
/** Downtime between two moments. Overlapping stops count once. */
export const stoppedIn = (stops: readonly Stop[], from: number, to: number): number => {
  let [sum, reached] = [0, from]
  for (const { start, end } of stops.toSorted((a, b) => a.start - b.start)) {
    const [begin, until] = [Math.max(start, reached), Math.min(end, to)]
    if (until <= begin) continue
    sum += until - begin
    reached = until
  }
  return sum
}
