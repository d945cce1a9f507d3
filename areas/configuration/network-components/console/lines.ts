export type Place = { host: string; port: number | null; tls: boolean; origin: string; token: string; level: number | null }
/** One way to connect: a name at `sender.way.<Name>`, and what to paste. */
type Way = { name: 'mosquitto' | 'mosquittoGateway' | 'curl' | 'telegraf'; text: string }

const mosquitto = ({ host, port, tls }: Place, topic: string, login: string, message: string) =>
  `mosquitto_pub -q 1 -h ${host} -p ${port} ${tls ? '--tls-use-os-certs ' : ''}${login} \\\n  -t ${topic} -m '${message}'`
const curl = (url: string, header: string, data: string) => `curl -X POST '${url}' \\\n  -H '${header}' \\\n  --data-binary '${data}'`

/** The lines that a client of a language needs, as its own documents print them. */
export const linesOf = (language: number, place: Place): Way[] => {
  const { origin, token, port, level } = place
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
  if (language === 2) {
    const topic = level === null ? 'data' : ['plant', 'line-1', ...Array<string>(16).fill('x')].slice(0, Math.max(2, level)).join('/')
    return [
      ...byMqtt({ name: 'mosquitto', text: mosquitto(place, topic, `-u penstock -P '${token}'`, '{"temperature": 21.5}') }),
      { name: 'curl', text: curl(`${origin}/api/uplink`, `Authorization: Bearer ${token}`, '{"temperature": 21.5}') },
    ]
  }
  const influx = `[[outputs.influxdb_v2]]\n  urls = ["${origin}"]\n  token = "${token}"\n  organization = "penstock"\n  bucket = "penstock"`
  const url = `${origin}/api/v2/write?org=penstock&bucket=penstock&precision=s`
  return [
    { name: 'curl', text: curl(url, `Authorization: Token ${token}`, 'weather,station=roof temperature=21.5') },
    { name: 'telegraf', text: influx },
  ]
}
