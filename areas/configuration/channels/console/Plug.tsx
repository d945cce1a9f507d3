// Pictures that identify a protocol: the plug, the terminal or the box at the other end.
import type { ReactNode } from 'react'

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 2, strokeLinejoin: 'round', strokeLinecap: 'round' } as const
/** An RJ45 plug. */
const network = (
  <g {...line}>
    <path d="M8 10h24v20h-6v4H14v-4H8z" />
    <path d="M13 10v6M18 10v6M22 10v6M27 10v6" />
  </g>
)
/** A terminal block with three screws. */
const terminal = (
  <g {...line}>
    <rect x="5" y="11" width="30" height="18" rx="2" />
    <circle cx="12" cy="18" r="2.6" />
    <circle cx="20" cy="18" r="2.6" />
    <circle cx="28" cy="18" r="2.6" />
    <path d="M12 29v6M20 29v6M28 29v6" />
  </g>
)
/** A meter with its digits. */
const meter = (
  <g {...line}>
    <circle cx="20" cy="20" r="14" />
    <rect x="11" y="13" width="18" height="7" />
    <path d="M17 13v7M23 13v7M14 26h12" />
  </g>
)
/** A controller on its rail. */
const controller = (
  <g {...line}>
    <rect x="6" y="8" width="12" height="24" rx="1.5" />
    <rect x="18" y="8" width="16" height="24" rx="1.5" />
    <path d="M10 13h4M22 13h8M22 18h8M22 27h8M9 27h6" />
  </g>
)
/** A server. */
const server = (
  <g {...line}>
    <rect x="7" y="7" width="26" height="11" rx="2" />
    <rect x="7" y="22" width="26" height="11" rx="2" />
    <path d="M12 12.5h.1M12 27.5h.1M18 12.5h10M18 27.5h10" />
  </g>
)
/** A broker, connected to several clients. */
const broker = (
  <g {...line}>
    <circle cx="20" cy="20" r="5" />
    <circle cx="8" cy="9" r="3" />
    <circle cx="32" cy="9" r="3" />
    <circle cx="8" cy="31" r="3" />
    <circle cx="32" cy="31" r="3" />
    <path d="m10.3 11.2 6 5.4M29.7 11.2l-6 5.4M10.3 28.8l6-5.4M29.7 28.8l-6-5.4" />
  </g>
)
/** A globe. */
const web = (
  <g {...line}>
    <circle cx="20" cy="20" r="14" />
    <path d="M6 20h28M20 6c5 4 5 24 0 28M20 6c-5 4-5 24 0 28" />
  </g>
)
/** A building. */
const building = (
  <g {...line}>
    <path d="M9 34V8h16v26M25 16h7v18M6 34h28" />
    <path d="M14 13h1M19 13h1M14 19h1M19 19h1M14 25h1M19 25h1" />
  </g>
)
/** A network switch. */
const device = (
  <g {...line}>
    <rect x="5" y="14" width="30" height="12" rx="2" />
    <path d="M10 18v4M15 18v4M20 18v4M25 18v4M31 20h.1" />
  </g>
)
const puzzle = (
  <g {...line}>
    <path d="M8 13h8a4 4 0 1 1 8 0h8v8a4 4 0 1 0 0 8v4H8z" />
  </g>
)

const pictures: Readonly<Record<string, ReactNode>> = {
  ...{ 'modbus-tcp': network, 'modbus-rtu': terminal, 'modbus-ascii': terminal, dlt645: meter, 'dlt645-1997': meter, cjt188: meter },
  ...{ iec104: controller, opcua: server, s7: controller, bacnet: building, snmp: device, 'mqtt-source': broker, 'http-source': web },
}

/** The picture of a protocol, by its name. */
export const Plug = ({ of: name }: { of: string }) => (
  <svg className="plug" viewBox="0 0 40 40" width="32" height="32" aria-hidden>
    {pictures[name] ?? puzzle}
  </svg>
)
