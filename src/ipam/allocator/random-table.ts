/**
 * The 607 words with which Go's seeded random source starts, 64-bit little-endian, in base64. They are what its additive
 * lagged Fibonacci generator (lags 607 and 273) holds after 7.8e12 steps, so they cannot be made up anew.
 *
 * Source: Go src/math/rand/rng.go, `rngCooked`; copyright 2009 The Go Authors, used under their BSD-style licence.
 */
const WORDS = [
  '6v+Y6zNK98VbX5a6QUp7wA+vgcsTxV4T65VDp1z7BEqOzxB3HIPop8PBN4/o5F19qYX/Q3fPIWNh+Z9qVQbLQtLX6EDRyCZuoPoRNB9Rp0lV',
  'UKYiSXftcVwt6l/Gn1ydaEMBSjmrvT8LNJJpWTP6cAJqps5O+xCuitG8i6m8n/esgKMuscz3lxsr88qU15EBryzjJDQyaj8rFAEfksxCxmiA',
  '80+fhiKhIDmvJxGjsaWWncK9+aQHW4YlgSk8lypq4VJ699szpGqeyYo7biGUg3yZW1HFqYDbaffL8+/ywwMMIf/uMeS1pvVTKZk0U8gO6dEQ',
  '3zIUai5JsdFZmWLkvVF5OHY4TJlnY66bVWHUFQ53oNLpxJa/vfMg2mqGYk+wv5fbRhbakCF6lTIYPIdxUEuQ2hk6UDs+KIXH8qWI4zN36NAZ',
  'rAvHvnLwG/hwaSUAhqhP9hSK0fdMc9S0ePlupI6nJzFX8S94puub1QobJAAvW+kfWUnF2jktTIjy+pVhXTTvsL0rnFYe4oxQOWCLC7vSNVRw',
  'dhXv99jx9QqQXh031H99GC2QHnnr4I98eyJ/mLvrAWIOeThx4SJ5rI6BREDT2lDF1lgGmpZyzJS4v4S9KbPjQVGFp0bnurFWFbOcSW9o+QSQ',
  'oDxph1B+bRRQDHDJWpP/2DXN2FQVqrQYmN6g2jNk/X7zTVbgsgWt6ZH1KT742wvrZxfymVJTknIkuOtMXlqXRea6K8M7XBV46uxu6KxXU14p',
  'Tgi7rU+aapCLyWNE9moIUP381hn9rIUDrZ860eGl1Oa7nAObtzOfCfw1WgyEJCJ42c8a1UW8OE4XPk7eVJ8v+FMO77OHCvoN4WmXQ3vs2Qnq',
  'EVBMzMfDnlHV4xPED5lHC+Jbzs9+4Ac/viIZt7jQ0qVhx3zIH+oeRd3W8ffeXlDIBekcAI7Xbvu6aPRENgrM19ApRC7bMcIU0z2UkJrNHOLR',
  'wo8o9WlIZrWPFk5gb8Xd9vqxsKvkUUEnuafO6EeW7N5hvn0YQqd2PA54SUCNd4AT5GzCRkRxkgtw5xnAW0dlF23YYB14CA7gcfXV6Q8Pn1du',
  'iDO/Ym5H5rROUv8McYylmTiepVboJJoYg1eLfJ9UFAACBpxTCJhnVFGy7ln8uBSmmYSL/4/zIlI9OucrpvU4SEwrg4KLUN74L2jHnxD1DD/F',
  'XPGtHNMmWGtACQVywfqWvBBScQDp+5PTNjX+BAdK+67MbptcxhlAvpIwx6+L6ol415m18AebWPq4SQreGPAPg8lxThcv3YVnooC3cLS+YrEj',
  'YbemICKDxc0kve+RIyazJlC3e/vQBB+arxw90CHprrwJ+fClC44cne18qkb5tmJ6nqfY/BQ/6LwFz8Q6xDegCKB5xUXQEnlSjohTQBd7nyiy',
  'oI/42r0CIF2v+1GER8oSqAPkilCknzI3on4NCPK2Ar8EP8sz7TmKPmSWxxlkW9ee15L9rOhYssghaCEx6UZ7/zo96Wort/yMhbA2ZxH/5588',
  'Xq6lwhw5lcP0KnZ2628H/cTmc+ftMfu171Cu/NtZMyR/bdsPDjRA55Nxkt3GpHMf9Y9mqRz6bktTlEEN1yBFcmrAkgUSGb0WzTDc1iwMWGtF',
  'je8phGoNvGJcXjnpuKlOdEjhroRcghTvGDTicTq3Mh5KwChSxCdv7g+h5NLgOy5ORghg4YL0Z7sjJ3Mk6EG1EQ/Xryp9DPl9rho5LBSW9OFU',
  'dEL6JfYOQB0Tns4QZpYGmdrMwdc0WUUiIJLatzlCQeZWVSf2kZCftL2KKGQ9a5GCoG8Gx6HQUp+h8Iz7bGYqZIOtY7AdmJ2MSn62WGGi32Pf',
  'wuzrNv48zv9kU6Ur6+S20Rd3DZ4X0m/bRyI2t6JxuTvFENUlz+XbYVJzc60oD5OL638EAd2VWlq0WHNAsa0wgxBMeHZHtH8GVAfr9OggG9nA',
  'x7ZAXyfcJw97pt34LXOFyITErzcmtjH2i4NJhslhWH8nMO4fBt9VFKwtBSLTlemueOSGBNN6RdHOSh8iZzK4ZjUsBQeYR7mgfqdQUwKo05wW',
  '/MJ+GkIApylRsDonV/JDn3H79+S6SL+46FfYWxxZ83FpGJTV2hRwQpytilE/GIKOzLjDQ0y335JvVrofmKzANVTFqqwHj7zLOBCIsF9zur5s',
  'VbVD8tSf5zswnxRjdSRxH0PeqvZLwsu2V6XSTHLeacF1abwhNIF2DPSM98qfFRJKYt088T4NORsE0HPVBuitO9mL6mnyYc14Pa+LV8mdaH86',
  'qRgzNVK+vRxQpy0AErGbjERtW7Qx8mbKZmUD5De34ulRnrjPaJscVIdGcMk3KV2jKN8otbBEaXWy/oucTiPCQ0HCKY8GAo1Pef30feUV32jw',
  'kAUJwI2rrZit5AaklIGCsVVBP3T/1CcwRs5FCOxoESMG0znDwIZJmAGuWg6YVjaYYcwaBT2vErK0tnrhbHBK8apwQDrelcnLRzVfVujp2bgC',
  'YjSs2x0Y6kmKQc5TKLm8p1M6b6FGJROqomIoyUtjZsHWcaCTvM5q/5JR6mypgDJAeiRaZoGPOxhaZOTA0oBMKyKmOrpYTT2ehWPlL8uJg6K5',
  '5P4SlbgMooO9DLNhsJHWywmfrPP4ujmIuMTR7bMD310J7YLLxJQm9mDTm4e5A8bQV2ZCgPfaWIWrMp5iG9t/yOEvhhbVOHnXAOxZJ5ZWOuPZ',
  'kEsXL8gbBYZc0srrXTur2zWb3dBrdqiHFMqDtiZfQlP2dqBAKzxdNNb4corpZHRBeE7qPt0CL3d4UkLof5dAYh0rktQa8Psp6k6LKpyVygI4',
  'UxChfMpp2XskV2NJNmsysqdcZAd8f3tn4wqlP8a42Ec5cHT9t6B54IzcoLEfI3duybdCM7YWJ4Dm1wmpOc3d7MoZW2gnFE23kY7SbJycVDoN',
  'Dnn7wZERthu4vdNnfhHi9okN/JbTIutJsPusfkXVTWX1m5fhHcooXVinbENdedkYMobi19NFFp3PPL6nL7DMnnvhp7cfgsIp2c4fKysNMWRe',
  'N5Ba2L19IhEWajPLzXD4uvUlaWNecYRLJdDgQ0eSIXd1xQ4Icdn7WA/kXhfhvK1bNsx4PZUykIN2oJWEUztqOdPAiY+miNiIHKibY4GnXHec',
  'ja8/kyidUT8NxOrEfd/H2DH+AdvWfTgDgG0DlwoiaPchBowHJwh6zKjWWWB1RvgqV+oqw/n9yTYBkRzihRMR/t0+x9+Ho6aiue15+/bF3HrR',
  'VtXHoyhr+Qkn92rOjULwaS1VFsKSmr60u5xdHPTK9q43T5ip180QEUPTyh3Ms+UdfDzZq15ipxGDBCweqAy0HORe/L8d5WhbOEP/ovnUcB9q',
  '01zLsCe5zOrK5BDgY0Gu3T/gHsmoUlR/DssMl1hUMWF+dUwFEAscgosIBoT5Ec9ExE1rL2CntzYlf/kmodWGFzOT23KDcM2pydpRJFQHWufX',
  'BJFlKA2h5aSv5rj4y+skkCMl84AzfBMIX0JeqRgRozIeK4BAYQtkvV8cK/HQPH6Wp7m6f+iJEANBCD66s/sb8WvTHA2tw387w1m3aNn0sr8C',
  '0gVJVnWETIP6NmIqC6jg4zqDGme4pYaN5Y/rKIhgeRfnIVefyysD3hZ+3OUk0hKV1OBRgovmKaMIywh1SsArJZ0ySKY1+IWoGeyX95knTRDt',
  '8nbArTpEF2fkd+J9NYlsnTy2rgd5rzVb2wTga84n2PFb2SgCv5tjs+Ele+ExriW5fZWeQukjJWh+PKtfDpUzWZ+/cTbqKiwQMjlD79Kywch/',
  'xx7Sfg1HYo70gBJf6kKuEfPNR7cXjoP6qQ4GAeCE/MxbjFCnrGP5BD+EoKqjpdPr6KT3Sfls30H93muHInye5gdPciTBtKZaPfINR7+4kPWZ',
  'IDWYKT1llVj0kMwR0fgoq6ENVQPbNBsrXMxCeACErJQ2m7cILG75hAvVcr+Q9Qjr+HlwlHIIBYIht2xpp9U2rMlbiNThl/55tYi4bP3kBFIQ',
  'gpRiATe5Fgh57zxWZRO+JnqnvSio3RQTho/7z1uuA7i3oghAMTLQHqnI0z7sZ7igAQCH5d2TsPnB9uR4gwu87GsIjsf8b8CXUXWe+ATyNO4F',
  'ZyRMJhbVgnWSxzwTRnWke+Gz4rSqXBsRP6NeJUMUFo49opyB0ESzKPFITSCrOfsi0WyqNo8jvxApXLqbX+AQrK6QyirkD7C2VJ3LzQ96OGSP',
  '6Ak2RwFfIFrELci4to7taMesI/1DDZIl8mR5gYparb0lq1oBue+cvH49c+qkj+cePKQieXXRhQ7jIf6B4MU9EmFmTmd5EMGG3Pu5Grk/lxiJ',
  'KoxtylXu1AC1tRVSbUcA1Spt6uKzaFD8hcsj3RCpXSBbd582EV6bl9fqZX10csgr553BKqqDupbVa6DTEIcloudDkxbZ+7wCc2JrJJnN7ogC',
  'AzwtGzBLI7/sMQldCWE8mETkU+Lq+8EQiNI5btX4m3AnhXUyXgLvbbKlxjvYgTtrp1hz8ToOdDd4IQxhkQRauntw6U7ANLIkwxLPgXTW6N8U',
  '3hIHqME9BeRlYgXNRpYj4l3+hVvtyQDKFJUw5jTAvek16qmxXKVMzxgUrF1Yg/od53q25r/GmBWElYBq3u3TCGGmdIBHjMQBJkko+/RJuKzn',
  'ZZoeH2xfo6PgIPLDRH4NFqyXJ0LEFSytEVrVvqmNrFLeLL69KQz7OBbQbkiiWFCij90f6XtQzxghSskGbeVJtvy58hm+Aufv3dAQo21waOd/',
  'Gda0nWPrhNRt6aihFln4gv09gKJGTGTXRAoaOmKqUrWLGCUaEb0gxhirPvqZ6hDdTk/SM2zMNmUlOW046KEr+551fmBxYGx8Pbseki9pho8I',
  'a7qWedL+6uoqvbKsEKvz3sIMtyvbtrCEEhwrkv+9W9vE1NceJKCgkIFbP67PYH5F9nkbkR4YlIwxXKDV4zOwcaaANFWnuvtelXl117DG0PbJ',
  'dydDLGb2wiEPKrybhkW8tIbCSdJuyLFm4j3FQgnojkeWBRuu5i6LYdNvd+pdPjoHCD+vcW4d0Ed4Dv6q+8SvgR/NQMl4B8ZxviQhlmoE37bC',
  'Hc9sD5WTTpTQB0CjHgRnx+LGdmUgyfkbUlFecdcremuGQTZ5jDx1l3rkZUp4GazaUuv3c3wLEdMHtynEvD8na6YKVHVayC0wFt7kVgpw00DI',
  '/1vQ/ANTh9aIJeOlBu2+qzpqY/gmZYp1OCDm6Np6vgEK9MRbx760ycPBnwrOaXrcZKrbCjyFP/m21TmOZbhIvoXLB/OIzDNSBORGZ1aM9IGS',
  'ERE+Lyvn5tUzQ3tdreNuXuNEvwr46zssN5Yp+j1PMk8p04TVAAmmyBfg0weXs8838lYKCdE800NdYOXHeuH6GUStDm8QwMi+YCp7A6i7iX1V',
  'phI8mJlpUWP81Imy7CkijYgIwz5O3KdWEXyMGJIkEFr4HHgCZUdEC8Gxs11djrceqTti9r8VZZzwo7soanHxMC/JB3b0162dhzR4kASemXDb',
  'lZfFEaajinUVQ8d0mjkybxFATG1T0Jeth8WaU1LDWYnydRYaHySDnmH1eG2MrffvY+XP8SodS8nlEiKdPx+2N3tGPQJ+a+nuq612q/rRYmuS',
  '2V35z3bbciGmeKI6Z8jIGeWrgpl+hfXxjRHCNIBsE0C2dnP6L96aokzQp5h+53dNsBSfbaFH7YsErT1LMTIdk+TlnkwKPfNDpev0uibZc3Og',
  'rzp5Mpqz5g+mbpjmYWNmTzQf48tJwETcvhzyA1Re66BS98QgBUF94pkbr93DuOWgQCdZl2xE+6VO/ASm569Hf1huraSEg3sTLFTeXB4wew/8',
  'Dyr0il0KMEcFgnnAfQjCOcbTtiuacKh8RgreNtq0a7tC4nYDyR5TsHlg90MY3JjPjAXBrhGwF7QXhBtk3fBP3d7sMuhJIyiHN4z76OcWiLvw',
  '1fTC2A9IULaFbQt2T3OqRX0UCNJThUJiWcTnaBmgKw5AAGD3o7kZfgcMA2Rhj1UXHZ/F5sBIMXV5Q9g77/LSd5pv4QGHjbhuZmiGKDTO53JV',
  'B9aRVLGCjetUvusap2XCdweePm/d3UdJhlV5XGP+jWKb+T/UOT5nIiL1jMdtCH5jZpx+n2bjN+446K+kR7vXkr234tvfq54f0cG18mrKTzIp',
  'G1tSUqHkWQ50dY0K0ZF82JXKfzpTfMzbsYZz9/tmEr3D0Ua6ZppoGnC1JLFx1ktNwK6eCv1DLFVl4eQXMRRYI6xIErvFWIPFCuOAvXf2qo9/',
  '8KQncpn8UOGwnF3MSKhBm+SwHnEKZHg5yh2gv/xkhMdr/y+rCphe5kKqUGdcOfTzlZZM6n8oikL2SRc2FpWUIZ+ZktV3yfhfk/bZZlHEqRxD',
  'j6ID9afsEL5Rw6PTUemWKBaA4Hn1JCggWzjpteUMxrBZSh66+weyqilYZd6oLjiLx40E3uHX33rMllpTdDvwXnOboVd+xiXAMToKoDk=',
].join('');

/** The words, decoded once. */
let decoded: BigUint64Array | undefined;

/** The starting words of Go's random source; callers must not change them. */
export function randomTable(): BigUint64Array {
  if (decoded) return decoded;
  const bytes = Buffer.from(WORDS, 'base64');
  decoded = new BigUint64Array(bytes.length / 8);
  for (let i = 0; i < decoded.length; i++) decoded[i] = bytes.readBigUInt64LE(i * 8);
  return decoded;
}
