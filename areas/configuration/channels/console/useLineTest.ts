import { App } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { gatewayCalls } from '../../gateways/contract.ts'

type Target = { Ip: string; Port: number } | { Serial: string }
type Given = { Ip?: unknown; Port?: unknown; SerialPort?: unknown; Mode?: unknown; Settings?: unknown }

/** Default ports of addresses without a port. */
const usualPorts: Readonly<Record<string, number>> = { 'opc.tcp:': 4840, 'mqtt:': 1883, 'mqtts:': 8883, 'http:': 80, 'https:': 443 }
const ofUrl = (text: unknown): Target | undefined => {
  // Browsers parse no host from unknown schemes.
  const [, scheme = '', rest = ''] = typeof text === 'string' ? (/^([\w.]+:)\/\/(.+)$/.exec(text) ?? []) : []
  const url = usualPorts[scheme] ? URL.parse(`http://${rest}`) : null
  const named = /^[^/?#]*:(\d+)(?:[/?#]|$)/.exec(rest.replace(/^\[[^\]]*\]/, ''))?.[1]
  return url?.hostname ? { Ip: url.hostname.replace(/^\[|\]$/g, ''), Port: Number(named) || usualPorts[scheme]! } : undefined
}

/** Target of a channel; undefined if it cannot be tested, because the device dials. */
export const targetOfLine = ({ Ip, Port, SerialPort, Mode, Settings }: Given): Target | undefined => {
  if (typeof SerialPort === 'string' && SerialPort) return { Serial: SerialPort }
  if (Mode === 1) return undefined
  const [host, port] = [Ip, Number(Port)]
  if (typeof host === 'string' && host && Number.isInteger(port) && port > 0 && port < 65_536) return { Ip: host, Port: port }
  return ofUrl((Settings as { Url?: unknown } | null | undefined)?.Url)
}

/** Lets a gateway test a connection and shows the result. */
export const useLineTest = (gatewayId: number) => {
  const t = useWords()
  const { message } = App.useApp()
  const may = useMay('m10102.command')
  const { mutate, isPending } = useCommand(gatewayCalls.netTest, ['command'])
  const test = (name: string, target: Target) =>
    mutate(
      { body: { Id: gatewayId, ...target } },
      {
        onSuccess: ({ Code, Msg }) =>
          void (Code === 0 ? message.success(t('line.reached', { name })) : message.error(t('line.notReached', { name, why: Msg }))),
      },
    )
  return { may, test, isPending }
}
