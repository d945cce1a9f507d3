import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import { withoutPrototype } from '../../contract/prototypes.ts'
import { BoundedSocket } from './boundedSocket.ts'
import { judged, type Within } from './outbound.ts'
import { failed, type Outcome, ofError, retry, sent } from './outcome.ts'

export type Mailbox = {
  host: string
  port: number
  tls: 'tls' | 'starttls' | 'none'
  user: string
  password: string | undefined
  from: string
}

/** Bytes that a server answers to one mail, encryption included. */
const answerBytes = 128 * 1024

/** `attached` is streamed, so that ten files of ten megabytes are not held in memory. */
type Letter = { to: string; subject: string; text: string; id: string; attached?: { filename: string; content: Readable }[] }

/** One mail over SMTP. A permanent refusal (5yz, RFC 5321 4.2.1) is final, a transient one (4yz) is not. */
export const sendEmail = async (
  { host, port, tls, user, password, from }: Mailbox,
  within: Within,
  { to, subject, text, id, attached = [] }: Letter,
): Promise<Outcome> => {
  try {
    const { address } = await judged(host, port, within)
    const transport = createTransport(
      withoutPrototype({
        host: address,
        port,
        secure: tls === 'tls',
        requireTLS: tls === 'starttls',
        ignoreTLS: tls === 'none',
        tls: withoutPrototype({ servername: host }),
        ...(user ? { auth: withoutPrototype({ user, pass: password ?? '' }) } : {}),
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
        socket: new BoundedSocket(new Socket(), answerBytes) as unknown as Socket,
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
    )
    try {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, attachments: attached, messageId: `<${id}@penstock>` })
      return sent
    } finally {
      for (const { content } of attached) content.destroy()
      transport.close()
    }
  } catch (error) {
    const { responseCode, code, message } = error as { responseCode?: number; code?: string; message: string }
    if (responseCode) return responseCode >= 500 ? failed(message) : retry(message)
    if (code === 'EAUTH' || code === 'EENVELOPE') return failed(message)
    return ofError(error)
  }
}
