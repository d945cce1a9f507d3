import type { Body } from '../../../../contract/call.ts'
import { type Description, descriptionFaults } from '../../../../contract/described/description.ts'
import { compose, readFrames } from '../../../../contract/described/frames.ts'
import { rangeOf } from '../../../../contract/described/numbers.ts'
import { hexBytes, hexText } from '../../../../contract/described/template.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Check, store } from '../../../../server/resource/store.ts'
import { mostFrames, selfParse, type selfParseCalls, type Tried } from '../contract.ts'

const refuseFaults = (description: Description) => {
  const faults = descriptionFaults(description)
  if (faults.length) throw new FieldFaults(faults)
}

/** Refuses a description that is incomplete or contradicts itself. */
export const descriptionCheck: Check = async (_db, _actor, given, held) => {
  if (held && !('Frame' in given) && !('Requests' in given)) return given
  refuseFaults({ ...held, ...given } as unknown as Description)
  return given
}

const sentOf = ({ Frame, Requests }: Description, unit: number, value = 0, { language }: Actor): Tried['Sent'] =>
  Requests.flatMap((request, i) => {
    if (!request.Send) return []
    try {
      return { Request: i + 1, Hex: hexText(compose(Frame, request, unit, value).bytes), Fault: null }
    } catch (error) {
      if (!(error instanceof RangeError && request.Write)) throw error
      const [min, max] = rangeOf(request.Write)
      return { Request: i + 1, Hex: '', Fault: word(language, 'fault.field.range', { min, max }) }
    }
  })

const burstsOf = (payload: string) =>
  payload.split(/[\r\n]+/).map((line) => {
    const bytes = hexBytes(line)
    if (!bytes) throw new FieldFaults([{ field: 'Payload', rule: 'notHex' }])
    return bytes
  })

type Asked = Body<typeof selfParseCalls.test>
const descriptionOf = async (db: Db, actor: Actor, { Id, Frame, Requests }: Asked): Promise<Description> => {
  const saved = Id === undefined ? undefined : await store(selfParse).find(db, actor, Id)
  const description = { Frame: Frame ?? saved?.Frame, Requests: Requests ?? saved?.Requests }
  const missing = (['Frame', 'Requests'] as const).filter((name) => !description[name])
  if (missing.length) throw new FieldFaults(missing.map((field) => ({ field, rule: 'required' })))
  refuseFaults(description as Description)
  return description as Description
}

/** Tests a description: composes its request frames and parses the pasted responses. */
export const tried = async (db: Db, actor: Actor, asked: Asked): Promise<Tried> => {
  const { Payload = '', Unit = 1, Value } = asked
  const description = await descriptionOf(db, actor, asked)
  const bursts = burstsOf(Payload)
  const began = performance.now()
  const { frames, rest } = readFrames(description, Unit, bursts, mostFrames)
  return {
    Sent: sentOf(description, Unit, Value, actor),
    Frames: frames.map(({ bytes, fault, request, values }) => ({
      ...{ Hex: hexText(bytes), Fault: fault, Request: request === null ? null : request + 1 },
      Readings: values.map(({ key, value }) => ({ Key: key, Value: value })),
    })),
    Rest: hexText(rest),
    Milliseconds: Math.round((performance.now() - began) * 1000) / 1000,
  }
}
