// The steps of an order: who takes which from where. Shared by the server, which decides, and the console, which offers.

export const orderStatus = {
  ...{ waiting: 0, assigned: 1, working: 2, suspended: 3, checking: 4 },
  ...{ done: 5, cancelled: 6, refused: 7 },
} as const
export const orderStatuses = [0, 1, 2, 3, 4, 5, 6, 7] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** By state, those that may follow. A refused order waits again at once. */
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
  /** Where it leads; without one, the state stays. */
  to?: OrderStatus
  /** Who takes it: the assignee, or anybody of the team while there is none; the one it was handed to; holders of a button. */
  by: 'worker' | 'receiver' | 'anybody' | `m10602.${string}`
  /** It needs a text. */
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
/** Steps of people who do the work; a menu code of their own permits them. */
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
/** The person, as far as an order is concerned. */
export type Standing = {
  UserId: number
  may: (code: string) => boolean
  /** Of the team or department that the order was given to. */
  inTeam: boolean
  /** Has taken a step of the work: somebody else checks it. */
  hasWorked: boolean
}

const isWorker = (o: OrderNow, who: Standing) => (o.AssignUserId === null ? who.inTeam : o.AssignUserId === who.UserId)

/** Whether the order is in a state that a step leads out of. */
export const isDue = (name: StepName, o: OrderNow): boolean => {
  const step: Step = orderSteps[name]
  if (!step.from.includes(o.Status as OrderStatus)) return false
  if (name === 'arrive') return o.ArriveTime === null
  if (name === 'takeOver' || name === 'declineOver') return o.HandOverUserId !== null
  return name !== 'handOver' || o.HandOverUserId === null
}

/** Why a step is not this person's to take: `rights`, `others` (somebody else's order), `own` (nobody checks his own work). */
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

/** The steps that this person may take now, the most likely one first. */
const likely: readonly StepName[] = [
  ...(['takeOver', 'accept', 'arrive', 'resume', 'finish', 'check', 'dispatch'] as const),
  ...(['reject', 'suspend', 'refuse', 'declineOver', 'handOver', 'cancel', 'comment'] as const),
]
export const allowedSteps = (o: OrderNow, who: Standing): StepName[] =>
  likely.filter((name) => isDue(name, o) && refusal(name, o, who) === undefined)

/** The step that leads from one state to another. */
export const stepTo = (from: number, to: number): StepName | undefined => {
  // Waiting again is what becomes of a refusal.
  if (from === orderStatus.assigned && to === orderStatus.waiting) return 'refuse'
  return stepNames.find((name) => {
    const step: Step = orderSteps[name]
    return step.to === to && step.from.includes(from as OrderStatus) && (from !== to || name === 'dispatch')
  })
}
