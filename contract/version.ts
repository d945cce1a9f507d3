/** The product's one version number: console, API, gateway, backups. `package.json` says the same (architecture.test.ts). */
export const version = '3.2.5'
