import { Cell } from '../../../../console/kernel/fields.tsx'
import { ageText, userZone } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { gateway as resource } from '../contract.ts'
import type { Gateway } from './states.tsx'

const groups = {
  identity: ['SN', 'GatewayTypeId', 'GatewaySubTypeId', 'ProjectId', 'HeartbeatPeriod', 'Remark'],
  connection: ['Ip', 'LastHeartbeatTime', 'LastOnlineTime', 'LastOfflineTime', 'Rssi', 'CCID', 'TimeOffsetMs'],
  machine: ['FirmwareVer', 'HardwareVer', 'UpTime', 'CpuRate', 'MemRate', 'DiskRate', 'CacheCount', 'RemoteLock', 'RemoteLockTime'],
}

export const Overview = ({ gateway }: { gateway: Gateway }) => {
  const t = useWords()
  return (
    <div className="stack">
      {Object.entries(groups).map(([name, fields]) => (
        <section key={name} className="panel">
          <h2>{t(`gateway.group.${name}`)}</h2>
          <dl className="facts">
            {fields.map((field) => (
              <div key={field}>
                <dt>{t(`gateway.${field}`)}</dt>
                <dd>
                  {field === 'UpTime' && gateway.UpTime !== null ? (
                    <span className="figures">{ageText(gateway.UpTime * 1000, language())}</span>
                  ) : (
                    <Cell of={resource} field={field} row={gateway} />
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className="faint">{t('time.zone', { zone: userZone() })}</p>
    </div>
  )
}
