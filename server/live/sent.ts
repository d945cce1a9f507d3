import type { HubMessages } from '../../contract/hub.ts'
import type { Language } from '../../contract/languages.ts'
import type { Audience } from './audience.ts'
import type { Hub } from './hub.ts'

type Message = 'Changed' | 'Alarm' | 'Notice'
/** A message of a hub to an audience, as is or in each language. */
export type Sent =
  | { audience: Audience; message: Message; args: HubMessages[Message] }
  | { audience: Audience; message: 'Alarm'; by: Record<Language, HubMessages['Alarm']> }

/** Repeats a message of another process's hub. */
export const sendAgain = (hub: Pick<Hub, 'send' | 'sendIn'>, sent: Sent) => {
  if ('by' in sent) hub.sendIn(sent.audience, sent.message, (language) => sent.by[language])
  else hub.send(sent.audience, sent.message, ...(sent.args as HubMessages['Alarm']))
}
