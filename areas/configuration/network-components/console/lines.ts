import { checksum } from '../../../../contract/parsing/checksum.ts'
import { described, hj212, sparkplug } from '../contract.ts'

/** HJ 212 sender: its port and its MN. */
export type Station = { port: number; transport: 1 | 2; MN: string }
export type Place = {
  host: string
  port: number | null
  tls: boolean
  origin: string
  token: string
  level: number | null
  /** Serial number of a sender that signs its messages; its token is its secret. */
  signs?: string | undefined
  station?: Station | undefined
  /** For a described protocol. */
  dialled?: { port: number; transport: 1 | 2; registration: string } | undefined
  /** The edge node of Sparkplug. */
  group: string
  edge: string
}
/** One way to connect: a name at `sender.way.<Name>`, and what to paste. */
type Way = {
  name:
    | 'mosquitto'
    | 'mosquittoGateway'
    | 'curl'
    | 'telegraf'
    | 'station'
    | 'dialling'
    | 'netcat'
    | 'sparkplug'
    | 'sparkplugClient'
    | 'signed'
  text: string
}

const mosquitto = ({ host, port, tls }: Place, topic: string, login: string, message: string) =>
  `mosquitto_pub -q 1 -h ${host} -p ${port} ${tls ? '--tls-use-os-certs ' : ''}${login} \\\n  -t ${topic} -m '${message}'`
const curl = (url: string, header: string, data: string) => `curl -X POST '${url}' \\\n  -H '${header}' \\\n  --data-binary '${data}'`

const signedLines = ({ origin, token }: Place, sn: string) => `SECRET='${token}'
BODY='{"temperature": 21.5}'
ID=$(date +%s)-$$; NOW=$(date +%s)
KEY=$(printf %s "$SECRET" | cut -c7- | base64 -d | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf '%s.%s.%s' "$ID" "$NOW" "$BODY" | openssl dgst -sha256 -mac HMAC -macopt hexkey:$KEY -binary | base64)
curl -X POST '${origin}/api/uplink/${sn}' \\
  -H "webhook-id: $ID" -H "webhook-timestamp: $NOW" -H "webhook-signature: v1,$SIGNATURE" \\
  -H 'Content-Type: application/json' --data-binary "$BODY"`

const two = (n: number) => String(n).padStart(2, '0')
const stationLines = ({ host, token }: Place, { port, transport, MN }: Station, now = new Date()): Way[] => {
  const parts = [now.getMonth() + 1, now.getDate(), now.getHours(), now.getMinutes(), now.getSeconds()]
  const time = `${now.getFullYear()}${parts.map(two).join('')}`
  const text = `QN=${time}000;ST=32;CN=2011;PW=${token};MN=${MN};Flag=5;CP=&&DataTime=${time};w01018-Rtd=21.5,w01018-Flag=N&&`
  const crc = checksum('crc16Hj212', new TextEncoder().encode(text)).toString(16).toUpperCase().padStart(4, '0')
  const netcat = `printf '##${String(text.length).padStart(4, '0')}${text}${crc}\\r\\n' | nc -w 3 ${transport === 2 ? '-u ' : ''}${host} ${port}`
  return [
    { name: 'station', text: `${transport === 2 ? 'UDP' : 'TCP'} ${host}:${port}\nMN=${MN}\nPW=${token}` },
    { name: 'netcat', text: netcat },
  ]
}

/** Edge nodes have different forms; the words are those of the specification. */
const edgeLines = ({ host, port, tls, token, group, edge }: Place): Way[] => {
  const url = `${tls ? 'mqtts' : 'mqtt'}://${host}:${port}`
  const settings = { 'Server URL': url, Username: 'penstock', Password: token, 'Group ID': group, 'Edge Node ID': edge }
  const options = {
    serverUrl: url,
    username: 'penstock',
    password: token,
    groupId: group,
    edgeNode: edge,
    clientId: edge,
    version: 'spBv1.0',
  }
  return [
    {
      name: 'sparkplug',
      text: Object.entries({ ...settings, 'Primary Host ID': 'penstock' })
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    },
    {
      name: 'sparkplugClient',
      text: `const client = require('sparkplug-client').newClient(${JSON.stringify(options, null, 2)})
client.on('birth', () =>
  client.publishNodeBirth({ timestamp: Date.now(), metrics: [{ name: 'temperature', type: 'Double', value: 21.5 }] }))
client.on('ncmd', () => client.emit('birth'))`,
    },
  ]
}

/** The configuration lines for a client of a language, as its documentation shows them. */
export const linesOf = (language: number, place: Place): Way[] => {
  const { origin, token, port, level, station } = place
  if (language === hj212) return station ? stationLines(place, station) : []
  if (language === described) {
    const { port: at, transport, registration } = place.dialled ?? {}
    return at ? [{ name: 'dialling', text: `${transport === 2 ? 'UDP' : 'TCP'} ${place.host}:${at}\n${registration}` }] : []
  }
  const byMqtt = (...ways: Way[]) => (port === null ? [] : ways)
  if (language === 1)
    return [
      ...byMqtt(
        { name: 'mosquitto', text: mosquitto(place, 'v1/devices/me/telemetry', `-u '${token}'`, '{"temperature": 21.5}') },
        {
          name: 'mosquittoGateway',
          text: mosquitto(place, 'v1/gateway/telemetry', `-u '${token}'`, '{"Pump 1": [{"pressure": 4.2}], "Pump 2": [{"pressure": 3.9}]}'),
        },
      ),
      { name: 'curl', text: curl(`${origin}/api/v1/${token}/telemetry`, 'Content-Type: application/json', '{"temperature": 21.5}') },
    ]
  if (language === 2 && place.signs) return [{ name: 'signed', text: signedLines(place, place.signs) }]
  if (language === 2) {
    const topic = level === null ? 'data' : ['plant', 'line-1', ...Array<string>(16).fill('x')].slice(0, Math.max(2, level)).join('/')
    return [
      ...byMqtt({ name: 'mosquitto', text: mosquitto(place, topic, `-u penstock -P '${token}'`, '{"temperature": 21.5}') }),
      { name: 'curl', text: curl(`${origin}/api/uplink`, `Authorization: Bearer ${token}`, '{"temperature": 21.5}') },
    ]
  }
  if (language === sparkplug) return byMqtt(...edgeLines(place))
  const influx = `[[outputs.influxdb_v2]]\n  urls = ["${origin}"]\n  token = "${token}"\n  organization = "penstock"\n  bucket = "penstock"`
  const url = `${origin}/api/v2/write?org=penstock&bucket=penstock&precision=s`
  return [
    { name: 'curl', text: curl(url, `Authorization: Token ${token}`, 'weather,station=roof temperature=21.5') },
    { name: 'telegraf', text: influx },
  ]
}
