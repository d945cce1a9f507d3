// State machine of orders: steps, states and actors. The server enforces it; the console shows the possible steps.

export const orderStatus = {
  ...{ waiting: 0, assigned: 1, working: 2, suspended: 3, checking: 4 },
  ...{ done: 5, cancelled: 6, refused: 7 },
} as const
export const orderStatuses = [0, 1, 2, 3, 4, 5, 6, 7] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** Allowed transitions by state. A refused order immediately returns to waiting. */
export const orderMoves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  0: [1, 6],
  1: [2, 6, 7],
  2: [3, 4],
  3: [2, 6],
  4: [2, 5],
  5: [],
  6: [],
  7: [0],
}
export const closedStatuses: readonly number[] = [orderStatus.done, orderStatus.cancelled]

type Step = {
  from: readonly OrderStatus[]
  /** Target state; without one, the state stays. */
  to?: OrderStatus
  /** Actor: the assignee (or any team member if there is none), the hand-over recipient, anybody, or holders of a button. */
  by: 'worker' | 'receiver' | 'anybody' | `m10602.${string}`
  /** The step requires a text. */
  desc?: true
}
export const orderSteps = {
  dispatch: { from: [0, 1], to: 1, by: 'm10602.dispatch' },
  accept: { from: [1], to: 2, by: 'worker' },
  arrive: { from: [2], by: 'worker' },
  refuse: { from: [1], to: 7, by: 'worker', desc: true },
  suspend: { from: [2], to: 3, by: 'worker', desc: true },
  resume: { from: [3], to: 2, by: 'worker' },
  finish: { from: [2], to: 4, by: 'worker', desc: true },
  check: { from: [4], to: 5, by: 'm10602.check' },
  reject: { from: [4], to: 2, by: 'm10602.check', desc: true },
  cancel: { from: [0, 1, 3], to: 6, by: 'm10602.cancel', desc: true },
  handOver: { from: [1, 2, 3], by: 'worker' },
  takeOver: { from: [1, 2, 3], by: 'receiver' },
  declineOver: { from: [1, 2, 3], by: 'receiver' },
  comment: { from: orderStatuses, by: 'anybody', desc: true },
} as const satisfies Record<string, Step>
export type StepName = keyof typeof orderSteps
export const stepNames = Object.keys(orderSteps) as StepName[]
/** Steps of the people who do the work; a separate menu code permits them. */
export const workSteps: ReadonlySet<StepName> = new Set([
  ...(['accept', 'arrive', 'refuse', 'suspend', 'resume', 'finish'] as const),
  ...(['handOver', 'takeOver', 'declineOver', 'comment'] as const),
])

export type OrderNow = {
  Status: number
  AssignUserId: number | null
  HandOverUserId: number | null
  ReportUserId: number | null
  ArriveTime: string | null
}
/** Relation of a person to an order. */
export type Standing = {
  UserId: number
  may: (code: string) => boolean
  /** Member of the assigned team or department. */
  inTeam: boolean
  /** Has taken a work step, so another person must check the order. */
  hasWorked: boolean
}

const isWorker = (o: OrderNow, who: Standing) => (o.AssignUserId === null ? who.inTeam : o.AssignUserId === who.UserId)

/** Whether the order's state allows the step. */
export const isDue = (name: StepName, o: OrderNow): boolean => {
  const step: Step = orderSteps[name]
  if (!step.from.includes(o.Status as OrderStatus)) return false
  if (name === 'arrive') return o.ArriveTime === null
  if (name === 'takeOver' || name === 'declineOver') return o.HandOverUserId !== null
  return name !== 'handOver' || o.HandOverUserId === null
}

/** Reason for refusing a step: `rights`, `others` (order of another person), `own` (people must not check their own work). */
export const refusal = (name: StepName, o: OrderNow, who: Standing): 'rights' | 'others' | 'own' | undefined => {
  const step: Step = orderSteps[name]
  if (name === 'cancel' && o.Status === orderStatus.waiting && o.ReportUserId === who.UserId) return
  if (name === 'handOver' && who.may('m10602.handOver')) return
  if (step.by.startsWith('m')) {
    if (!who.may(step.by)) return 'rights'
    return (name === 'check' || name === 'reject') && who.hasWorked ? 'own' : undefined
  }
  if (!who.may('m10601.work')) return 'rights'
  if (step.by === 'worker' && !isWorker(o, who)) return 'others'
  if (step.by === 'receiver' && o.HandOverUserId !== who.UserId) return 'others'
}

/** Possible steps of the person, the most likely one first. */
const likely: readonly StepName[] = [
  ...(['takeOver', 'accept', 'arrive', 'resume', 'finish', 'check', 'dispatch'] as const),
  ...(['reject', 'suspend', 'refuse', 'declineOver', 'handOver', 'cancel', 'comment'] as const),
]
export const allowedSteps = (o: OrderNow, who: Standing): StepName[] =>
  likely.filter((name) => isDue(name, o) && refusal(name, o, who) === undefined)

/** The step that leads from one state to another. */
export const stepTo = (from: number, to: number): StepName | undefined => {
  // A refusal returns the order to waiting.
  if (from === orderStatus.assigned && to === orderStatus.waiting) return 'refuse'
  return stepNames.find((name) => {
    const step: Step = orderSteps[name]
    return step.to === to && step.from.includes(from as OrderStatus) && (from !== to || name === 'dispatch')
  })
}
