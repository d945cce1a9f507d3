import type { Shown } from '../../../../console/kernel/api.ts'
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import type { Words } from '../../../../console/words/words.ts'
import type { electricityPriceStandard } from '../contract.ts'
import { byKva, byPeak, noDemand, seasonName, single, tiered, timeOfUse } from '../prices.ts'
import { levels } from '../quarterHours.ts'
import { DayInput } from './DayInput.tsx'
import { ChargesInput, TaxesInput, TiersInput } from './LinesInput.tsx'
import { PricePreview } from './PricePreview.tsx'
import { SeasonsInput } from './SeasonsInput.tsx'

type Row = Shown<typeof electricityPriceStandard>

export const cells = {
  ValidTo: ({ ValidTo }: Row, t: Words) => ValidTo ?? t('tariff.now'),
  Seasons: ({ Seasons }: Row, t: Words) =>
    (Seasons ?? [])
      .map((season, at) => {
        const prices = levels.flatMap((level) => {
          const of = season.Periods.find(({ Level }) => Level === level)
          return of ? [`${t(`tariff.level.${level}`)} ${of.Price}`] : []
        })
        return `${seasonName(season, at)}: ${prices.join(', ')}`
      })
      .join('; '),
}

export const inputs: FormProps['inputs'] = {
  ValidFrom: DayInput,
  ValidTo: DayInput,
  Seasons: SeasonsInput,
  Tiers: TiersInput,
  Charges: ChargesInput,
  Taxes: TaxesInput,
}

/** Each way of pricing has its own fields. */
export const refine: FormProps['refine'] = ({ TariffType, DemandType, VersionOfId }) => ({
  hidden: [
    ...(TariffType === single ? [] : ['BasePrice']),
    ...(TariffType === timeOfUse ? [] : ['Seasons']),
    ...(TariffType === tiered ? [] : ['Tiers', 'TierPeriod']),
    ...(DemandType === noDemand ? ['DemandPrice'] : []),
    ...(DemandType === byKva ? [] : ['DemandKva']),
    ...(DemandType === byPeak ? [] : ['DemandMinutes']),
    ...(VersionOfId ? [] : ['VersionOfId']),
  ],
  required: ['BasePrice', 'DemandPrice', 'DemandKva'],
})

export const below: FormProps['below'] = (values, row) => <PricePreview values={values} row={row} />
