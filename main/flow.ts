// The flow of a reading, joint by joint, in the order it happens. Nothing else connects these parts.

import type { AlarmNeeds } from '../areas/alarms/alarms/server/runner.ts'
import type { GatewayOptions, Gateways } from '../areas/configuration/gateways/server/service.ts'
import type { Hub } from '../server/live/hub.ts'
import type { Telemetry } from '../server/telemetry/telemetry.ts'

/**
 * 1. Message -> ingest: a gateway's message is taken apart and waits for a group commit.
 * 2. Ingest -> stored: `ingest` resolves after the commit, and the gateway gets its acknowledgement. What is refused is listed with its reason.
 */
export const intoIngest = (telemetry: Telemetry): Pick<GatewayOptions, 'ingest' | 'reject'> => ({
  ingest: (...message) => telemetry.ingest.accept(...message),
  reject: (rejected) => telemetry.rejected.add([rejected]),
})

/**
 * 3. Stored -> latest: telemetry keeps the newest value of each point (server/telemetry/ingest.ts).
 * 4. Latest -> alarms: live readings are evaluated; after a gap the engine reads what it missed from the store.
 */
export const intoAlarms = (telemetry: Telemetry): AlarmNeeds['telemetry'] => ({
  onStored: (listener) => telemetry.ingest.onStored((rows, live) => live && listener(rows)),
  since: telemetry.since,
  newest: telemetry.latest.get,
})

/** 5. Latest -> hub: subscribers of a point get its value. */
export const intoHub = (telemetry: Telemetry, hub: Hub) =>
  telemetry.latest.onMoved((rows) => hub.pushValues(rows.map((r) => [r.point, r.time, r.value, r.quality])))

/**
 * 6. Latest -> presence: a device whose values move is online.
 * 7. Stored -> clocks: the times of live readings are compared with the server's clock.
 */
export const intoPresence = (telemetry: Telemetry, gateways: Gateways) => {
  telemetry.latest.onMoved(gateways.stored)
  telemetry.ingest.onStored((rows, live) => live && gateways.timed(rows))
}
