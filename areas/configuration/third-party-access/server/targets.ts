// Transports to an external system. Each delivers readings in order and reports how many certainly arrived.
import { type ClientCertificate, dial } from '../../../../server/channels/dial.ts'
import { post, type Within } from '../../../../server/channels/outbound.ts'
import { openPublisher } from '../../../../server/channels/publisher.ts'
import { signedHeaders } from '../../../../server/channels/webhook.ts'
import { overHj212, overMqtt } from '../contract.ts'
import { bodyOf, type Named, type SentReading } from './format.ts'
import { answerBytes, openStation } from './hj212.ts'
import { delivered, failed, type Sending } from './outcome.ts'

export type To = Named & {
  Target: number
  Url: string
  Topic: string | null
  UserName: string | null
  MN: string | null
  SystemCode: string | null
  Zone: string
  secret: string | undefined
  certificate: ClientCertificate | undefined
  within: Within
  clock: () => number
}
/** An open transport. `most`: readings per message; `atOnce`: messages in flight, in order. */
export type Way = { most: number; atOnce: number; send(readings: readonly SentReading[], from: number): Promise<Sending>; close(): void }

/** Prefix of signing secrets; others are tokens. */
export const signingPrefix = 'whsec_'
const openHttp = (to: To): Way => ({
  most: 2000,
  atOnce: 1,
  close: () => undefined,
  send: async (readings, from) => {
    const { body, type } = bodyOf(to, readings)
    const signs = to.secret?.startsWith(signingPrefix) ? to.secret : undefined
    const signed = signedHeaders(signs, { id: `access-${to.Id}-${to.clock()}-${from}`, at: to.clock(), body, type })
    const headers = { ...signed, ...(to.secret && !signs && { authorization: `Bearer ${to.secret}` }) }
    const { status } = await post(to.Url, { within: to.within, body, headers, ...(to.certificate && { certificate: to.certificate }) })
    if (status === 401 || status === 403) return failed('signIn', status)
    return status >= 200 && status < 300 ? delivered : failed('status', status)
  },
})

const openMqtt = async (to: To): Promise<Way> => {
  const { publish, close } = await openPublisher({ ...to, url: to.Url, user: to.UserName, password: to.secret })
  return {
    most: 500,
    atOnce: 16,
    close,
    send: async (readings) => {
      await publish(to.Topic || 'penstock', bodyOf(to, readings).body)
      return delivered
    },
  }
}

/** Throws errors for `ofFailure`. */
export const openWay = async (to: To): Promise<Way> => {
  if (to.Target === overMqtt) return openMqtt(to)
  return to.Target === overHj212 ? openStation(to, await dial(to.Url, to.within, { port: 9212, most: answerBytes })) : openHttp(to)
}
