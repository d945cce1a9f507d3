import { dataTypes } from '../../../../contract/data-types.ts'
import { type Language, languages } from '../../../../contract/languages.ts'
import type { dictGroups } from '../../../../contract/preferences.ts'
import { word } from '../../../../server/http/words.ts'
import { isZone, offsetMinutes } from '../../../../server/identity/zones.ts'

type Item = { DataValue: string | number; DataName: string }

const zoneName = (zone: string, now: Date) => {
  const minutes = offsetMinutes(zone, now)
  const two = (n: number) => String(n).padStart(2, '0')
  return `(UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}) ${zone}`
}

/** Names and offsets are the same for all users and change with daylight saving: cached for an hour. */
let zones: { hour: number; items: Item[] } | undefined
const timeZones = (now: Date) => {
  const hour = Math.floor(now.getTime() / 3_600_000)
  if (zones?.hour !== hour)
    zones = {
      hour,
      items: ['UTC', ...Intl.supportedValuesOf('timeZone')]
        .filter(isZone)
        .map((zone) => ({ DataValue: zone, DataName: zoneName(zone, now) })),
    }
  return zones.items
}

/** The default dictionaries, in the caller's language. Those of the tenants (scene options, data sets) start empty. */
export const defaultDictionaries = (language: Language, now: Date): Record<(typeof dictGroups)[number], Item[]> => ({
  CommonStatus: [1, 0].map((DataValue) => ({ DataValue, DataName: word(language, `dict.CommonStatus.${DataValue}`) })),
  SceneoptionsDic: [],
  DataSetDic: [],
  YesOrNoDic: [1, 0].map((DataValue) => ({ DataValue, DataName: word(language, DataValue ? 'flag.yes' : 'flag.no') })),
  TestDataTypeDic: dataTypes.map((DataValue) => ({ DataValue, DataName: word(language, `point.ParaDataType.${DataValue}`) })),
  TimeZoneDic: timeZones(now),
})

/** Each language by its native name, for people who read only that one. */
const names: Record<Language, string> = { en: 'English', zh: '中文', es: 'Español', ja: '日本語' }
export const languageList = () => {
  const Items = languages.map((LanguageCode, i) => ({ Id: i + 1, LanguageCode, LanguageName: names[LanguageCode] }))
  return { Items, TotalCount: Items.length }
}
