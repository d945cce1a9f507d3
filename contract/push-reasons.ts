/** Why an alarm message is sent: raised, escalated, reminded, cleared; to webhooks also people's actions. */
export const pushKinds = ['raised', 'step', 'reminder', 'recovered', 'digest', 'action', 'level', 'acknowledged', 'handled'] as const
export type PushKind = (typeof pushKinds)[number]

/** Why a push waits or was not sent; words at `push.<reason>`, beside those of faults. */
export const pushReasons = [
  ...(['quiet', 'quietDropped', 'inDigest', 'acknowledged', 'nobodyOnDuty', 'shaken', 'flapping', 'level', 'noAccess'] as const),
  /** By the person's own alarm settings: not at all, or after his quiet hours. */
  ...(['ownSetting', 'ownQuiet'] as const),
] as const
export type PushReason = (typeof pushReasons)[number]
