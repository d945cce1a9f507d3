// What a console hears.
import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import type { HubMessages, LiveValue } from '../contract/hub.ts'

/** A console's connection and the messages it received. */
export const connectHub = async (origin: string, token: string, headers: Record<string, string> = {}) => {
  const values: (LiveValue & { heard?: number })[] = []
  const alarms: HubMessages['Alarm'][0][] = []
  const changes: HubMessages['Changed'][0][] = []
  const notices: HubMessages['Notice'][0][] = []
  const connection: HubConnection = new HubConnectionBuilder()
    .withUrl(`${origin}/api/hubs/sysmsghub`, { accessTokenFactory: () => token, headers })
    .configureLogging(LogLevel.None)
    .build()
  const heard: { value: LiveValue; at: number }[] = []
  connection.on('Values', (push: HubMessages['Values'][0]) => {
    for (const value of push.Values) {
      values.push(value)
      heard.push({ value, at: Date.now() })
    }
  })
  connection.on('Alarm', (alarm) => alarms.push(alarm))
  connection.on('Changed', (change) => changes.push(change))
  connection.on('Notice', (notice) => notices.push(notice))
  await connection.start()
  return { connection, values, heard, alarms, changes, notices }
}
