import { Button } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Shape } from '../../../../console/theme/State.tsx'
import { costText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { seesPrices } from '../contract.ts'
import { PriceChange, priceCalls } from '../preview.ts'

type Of = Answer<typeof priceCalls.preview>
type Values = Parameters<NonNullable<FormProps['below']>>[0]
const seesEnergyCost = 'm10701.cost'
const mostListed = 60

const Changes = ({ of: { Items, Currency } }: { of: Of }) => {
  const t = useWords()
  if (!Items.length) return <p className="soft">{t('tariff.preview.none')}</p>
  const money = (value: number | null) => costText(value, Currency, language())
  return (
    <>
      <ul className="price-changes">
        {Items.slice(0, mostListed).map(({ EnergyInfoId, EnergyName, Month, Before, After }) => (
          <li key={`${EnergyInfoId} ${Month}`}>
            <span>
              {EnergyName} <span className="soft figures">{Month}</span>
            </span>
            <span className="figures">{`${money(Before)} → ${money(After)}`}</span>
            <strong className="figures">
              {Before === null || After === null ? '' : `${After > Before ? '+' : ''}${money(After - Before)}`}
            </strong>
          </li>
        ))}
      </ul>
      {Items.length > mostListed && <p className="soft">{t('chart.more', { count: Items.length - mostListed })}</p>}
    </>
  )
}

/** What the prices in the form would change in open months, before they are saved. */
export const PricePreview = ({ values, row }: { values: Values; row: Values | undefined }) => {
  const t = useWords()
  const [mayPrice, maySee] = [useMay(seesPrices), useMay(seesEnergyCost)]
  const preview = useCommand(priceCalls.preview, [], { meta: { quiet: true } })
  // A tariff that is new has no circuits yet.
  const of = row ? { Id: Number(row.Id) } : values.VersionOfId ? { VersionOfId: Number(values.VersionOfId) } : undefined
  if (!of || !mayPrice || !maySee) return null
  const given = Object.fromEntries(
    Object.keys(PriceChange.properties).flatMap((name) =>
      name !== 'Id' && name !== 'VersionOfId' && values[name] !== undefined ? [[name, values[name]]] : [],
    ),
  )
  const body = { ...given, ...of }
  const isOfNow = JSON.stringify(preview.variables?.body) === JSON.stringify(body)
  return (
    <section className="stack-tight price-preview" aria-label={t('tariff.preview')}>
      <h3>{t('tariff.preview')}</h3>
      <p className="soft">{t('tariff.preview.help')}</p>
      <Button htmlType="button" loading={preview.isPending} onClick={() => preview.mutate({ body })}>
        {t('tariff.preview.show')}
      </Button>
      {isOfNow && preview.error && (
        <p role="alert">
          <Shape is="alarm" /> {Object.values(preview.error.details.Fields ?? {}).flat()[0] ?? preview.error.message}
        </p>
      )}
      {isOfNow && preview.data && <Changes of={preview.data} />}
    </section>
  )
}
