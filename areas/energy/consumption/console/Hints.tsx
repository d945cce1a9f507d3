import { Button } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { SettingsForm } from '../../../../console/kernel/SettingsForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useWords, type Words } from '../../../../console/words/words.ts'
import { energyHints, type Hint, hintCalls, mutesHints } from '../hints.ts'
import { costText, energyText, powerUnit } from './amounts.ts'
import { type Energy, sources } from './useEnergy.ts'

/** Hints are of this morning, but for the running quarter-hour. */
const freshMs = 120_000
const of = [...sources, energyHints.name]

const hintText = ({ EnergyName: name, Rule, Unit, Value, Base, Amount }: Hint, t: Words) =>
  t(`energy.hint.${Rule}`, {
    ...{ name, value: energyText(Value, Rule === 'water' ? powerUnit(Unit) : Unit) },
    ...{ base: energyText(Base, Unit), amount: energyText(Amount, Rule === 'standing' ? 'kWh' : Unit) },
  })

/** Thresholds, and the hints that were found of no use. */
const HintSettings = ({ projectId, close }: { projectId: number; close: () => void }) => {
  const t = useWords()
  const mayMute = useMay(mutesHints)
  const { data } = useCall(hintCalls.muted, { query: { ProjectId: projectId }, of })
  const again = useCommand(hintCalls.mute, ['energyInfo'])
  return (
    <SidePanel width={480} title={t('energyHints')} onClose={close} mask={{ closable: true }}>
      <div className="stack">
        <SettingsForm of={energyHints} />
        {data && data.Items.length > 0 && (
          <section className="stack-tight" aria-label={t('energy.hint.muted')}>
            <h3>{t('energy.hint.muted')}</h3>
            <ul className="hint-list">
              {data.Items.map(({ EnergyInfoId, EnergyName, Rule, MutedBy }) => (
                <li key={`${EnergyInfoId} ${Rule}`}>
                  <span>
                    {EnergyName} · {t(`energy.hint.rule.${Rule}`)} <span className="soft">{MutedBy}</span>
                  </span>
                  {mayMute && (
                    <Button size="small" onClick={() => again.mutate({ body: { EnergyInfoId, Rule, Muted: 0 } })}>
                      {t('energy.hint.again')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </SidePanel>
  )
}

/** What deserves a look today, the dearest first. */
export const Hints = ({ energy: { projectId, put } }: { energy: Energy }) => {
  const t = useWords()
  const mayMute = useMay(mutesHints)
  const [isOpen, open] = useState(false)
  const { data } = useCall(hintCalls.list, {
    query: { ProjectId: projectId ?? 0 },
    of,
    enabled: projectId !== undefined,
    refetchInterval: freshMs,
  })
  const mute = useCommand(hintCalls.mute, ['energyInfo'])
  if (!data || projectId === undefined) return null
  return (
    <section className="panel energy-hints" aria-label={t('energy.hints')}>
      <div className="panel-head">
        <h2>{t('energy.hints')}</h2>
        <Button size="small" onClick={() => open(true)}>
          {t('energyHints')}
        </Button>
      </div>
      {data.Items.length ? (
        <ul className="hint-list">
          {data.Items.map((hint) => (
            <li key={`${hint.EnergyInfoId} ${hint.Rule}`}>
              <button
                type="button"
                className="hint-text"
                onClick={() => put({ node: hint.EnergyInfoId, view: hint.Rule === 'children' ? undefined : 'load' })}
              >
                {hintText(hint, t)}
                {hint.Cost != null && (
                  <span className="soft figures">
                    {' '}
                    {t(hint.Rule === 'demand' ? 'energy.hint.cost' : 'energy.hint.costADay', { money: costText(hint.Cost, data.Currency) })}
                  </span>
                )}
              </button>
              {mayMute && (
                <Button
                  size="small"
                  type="text"
                  onClick={() => mute.mutate({ body: { EnergyInfoId: hint.EnergyInfoId, Rule: hint.Rule } })}
                >
                  {t('energy.hint.mute')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="soft">{t('energy.hint.none')}</p>
      )}
      {isOpen && <HintSettings projectId={projectId} close={() => open(false)} />}
    </section>
  )
}
